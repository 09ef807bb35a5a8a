# The text of a container that is nested too deeply for Ruby's own `inspect`.
#
# That one recurses in C, where each level costs much of the memory (the engine's README says why). This one
# writes the same text by recursing in Ruby, which is cheap, and shows what lies below its depth as
# `[...]`, as Ruby shows a cycle.

module Torpor
  module Inspection
    include Natives

    DEPTH = 200
    KEYS, = Natives.of(::Hash, :keys)
    # Symbols that stand before a colon as they are.
    PLAIN_KEY = /\A[\p{L}_][\p{L}\p{N}_]*[?!]?\z/

    def self.text(value, above = [])
      return "#{value.inspect}" unless Values.container?(value)
      array = IS_A.bind_call(ARRAY, value)
      deep = EQUAL.bind_call(SIZE.bind_call(above), DEPTH)
      return array ? "[...]" : "{...}" if deep || cycle?(value, above)
      below = ADD.bind_call(above, [value])
      array ? array_text(value, below) : hash_text(value, below)
    end

    def self.cycle?(value, above)
      FIRST.bind_call(SELECT.bind_call(above) { |one| EQUAL.bind_call(one, value) })
    end

    def self.array_text(array, below)
      "[#{JOIN.bind_call(MAP.bind_call(array) { |one| text(one, below) }, ", ")}]"
    end

    def self.hash_text(hash, below)
      pairs = MAP.bind_call(KEYS.bind_call(hash)) do |key|
        "#{key_text(key, below)}#{text(HASH_GET.bind_call(hash, key), below)}"
      end
      "{#{JOIN.bind_call(pairs, ", ")}}"
    end

    def self.key_text(key, below)
      return "#{text(key, below)} => " unless IS_A.bind_call(SYMBOL, key)
      name = SYMBOL_NAME.bind_call(key)
      MATCH.bind_call(PLAIN_KEY, name) ? "#{name}: " : "#{name.inspect}: "
    end
  end
end
