# The representations of a value: the text that irb would show, and JSON where the value is JSON.
#
# `inspect` is user code and may raise; what it raises is the execution's error. Knows nothing of
# frames.

module Torpor
  module Values
    include Natives

    # Containers nested more deeply than this are text only.
    JSON_DEPTH = 150

    # Asked about what is not JSON itself. Keys may be numbers and the like, as in Ruby's own JSON, and
    # subclasses of the containers count as those; everything else is left as it is, and refused.
    ADAPT = lambda do |value, is_key = false|
      if is_key
        key_text(value) || value
      elsif IS_A.bind_call(HASH, value)
        HASH_MERGE.bind_call({}, value)
      elsif IS_A.bind_call(ARRAY, value)
        ADD.bind_call([], value)
      else
        value
      end
    end

    ENCODER = ::JSON::Ext::Generator::State.new(strict: true, max_nesting: JSON_DEPTH, as_json: ADAPT)

    def self.key_text(key)
      if IS_A.bind_call(INTEGER, key) then INTEGER_TO_S.bind_call(key)
      elsif IS_A.bind_call(FLOAT, key) then FLOAT_TO_S.bind_call(key)
      elsif EQUAL.bind_call(key, nil) then ""
      elsif EQUAL.bind_call(key, true) then "true"
      elsif EQUAL.bind_call(key, false) then "false"
      end
    end

    # The text of `inspect`, as `p` shows it.
    def self.text(value)
      return Text.utf8(KERNEL_TO_S.bind_call(value)) unless IS_A.bind_call(KERNEL, value) or inspectable?(value)
      Text.utf8("#{value.inspect}")
    end

    # Whether an object that is not even a Kernel has an `inspect` of its own.
    def self.inspectable?(value)
      INCLUDES.bind_call(METHODS.bind_call(CLASS_OF.bind_call(value)), :inspect)
    end

    # JSON text of a hash or an array, or nil.
    def self.json(value)
      return nil unless IS_A.bind_call(HASH, value) or IS_A.bind_call(ARRAY, value)
      Frames::GENERATE.bind_call(ENCODER, value)
    rescue Anything
      nil
    end
  end
end
