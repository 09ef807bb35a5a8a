# `ENV` in UTF-8. This build of Ruby takes the encoding of variables from a locale that it does not have,
# and would give names and values that are not ASCII as bytes.

module Torpor
  module Environment
    READERS = %i[[] fetch key assoc rassoc values_at delete slice keys values to_a shift].freeze

    def self.install
      original = ::ENV.singleton_class
      READERS.each do |name|
        read = original.instance_method(name)
        ::ENV.define_singleton_method(name) do |*arguments, &block|
          Environment.labelled(read.bind_call(::ENV, *arguments, &block))
        end
      end
      whole = original.instance_method(:to_hash)
      ::ENV.define_singleton_method(:to_hash) { Environment.labelled(whole.bind_call(::ENV)) }
      ::ENV.define_singleton_method(:to_h) { |&block| to_hash.to_h(&block) }
      ::ENV.define_singleton_method(:inspect) { to_hash.inspect }
      define_iterators
    end

    def self.define_iterators
      %i[each each_pair].each do |name|
        ::ENV.define_singleton_method(name) do |&block|
          next to_hash.each unless block
          to_hash.each(&block)
          self
        end
      end
      %i[select filter reject].each { |name| ::ENV.define_singleton_method(name) { |&block| to_hash.send(name, &block) } }
    end

    # The result of a reader with its texts in UTF-8.
    def self.labelled(value)
      case value
      when ::String then value.ascii_only? ? value : value.dup.force_encoding(::Encoding::UTF_8).freeze
      when ::Array then value.map { |one| labelled(one) }
      when ::Hash then value.to_h { |name, text| [labelled(name), labelled(text)] }
      else value
      end
    end
  end
end
