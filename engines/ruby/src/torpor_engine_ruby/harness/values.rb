# The representations of a value: the text that irb would show, and JSON where the value is JSON.
#
# `inspect` is user code and may raise; what it raises is the execution's error. Knows nothing of
# frames.

module Torpor
  module Values
    include Natives

    # Containers nested more deeply than this are text only.
    JSON_DEPTH = 150
    # Up to here Ruby's own `inspect` surely fits the memory.
    SHALLOW = 40
    TOO_DEEP = ::JSON::NestingError

    def self.encoder(depth, **options, &adapt)
      ::JSON::Ext::Generator::State.new(strict: true, max_nesting: depth, as_json: adapt, **options)
    end

    ENCODER = encoder(JSON_DEPTH) { |value, is_key| Values.adapt(value, is_key) }
    SHALLOW_ENCODER = encoder(SHALLOW) { |value, is_key| Values.adapt(value, is_key) }
    # To learn only how deep a value is nested: everything counts as JSON.
    DEPTH_ENCODER = encoder(SHALLOW, allow_nan: true) { |value, is_key| Values.admit(value, is_key) }

    RESET, = Natives.of(::JSON::Ext::Generator::State, :depth=)

    # The text, and the JSON or nil.
    def self.bundle(value)
      return [inspect(value), nil] unless container?(value)
      json, failure = generate(SHALLOW_ENCODER, value)
      return [inspect(value), json] if json
      if IS_A.bind_call(TOO_DEEP, failure)
        json, = generate(ENCODER, value)
      else
        depth, = generate(DEPTH_ENCODER, value)
        return [inspect(value), nil] if depth
      end
      [Text.utf8(Inspection.text(value)), json]
    end

    def self.container?(value) = IS_A.bind_call(HASH, value) || IS_A.bind_call(ARRAY, value)

    # The text of `inspect`, as `p` shows it.
    def self.inspect(value)
      return Text.utf8(KERNEL_TO_S.bind_call(value)) unless IS_A.bind_call(KERNEL, value) || inspectable?(value)
      Text.utf8("#{value.inspect}")
    end

    # Whether an object that is not even a Kernel has an `inspect` of its own.
    def self.inspectable?(value)
      INCLUDES.bind_call(METHODS.bind_call(CLASS_OF.bind_call(value)), :inspect)
    end

    # JSON text, or nil and why there is none.
    def self.generate(encoder, value)
      # After a failure it would go on from the depth that it had reached.
      RESET.bind_call(encoder, 0)
      [Frames::GENERATE.bind_call(encoder, value), nil]
    rescue Anything => error
      [nil, error]
    end

    # Asked about what is not JSON itself. Keys may be numbers and the like, as in Ruby's own JSON, and
    # subclasses of the containers count as those; everything else is left as it is, and refused.
    def self.adapt(value, is_key)
      if is_key then key_text(value) || value
      elsif IS_A.bind_call(HASH, value) then HASH_MERGE.bind_call({}, value)
      elsif IS_A.bind_call(ARRAY, value) then ADD.bind_call([], value)
      else value
      end
    end

    def self.admit(value, is_key) = is_key ? "" : (container?(value) ? adapt(value, false) : "")

    def self.key_text(key)
      if IS_A.bind_call(INTEGER, key) then INTEGER_TO_S.bind_call(key)
      elsif IS_A.bind_call(FLOAT, key) then FLOAT_TO_S.bind_call(key)
      elsif EQUAL.bind_call(key, nil) then ""
      elsif EQUAL.bind_call(key, true) then "true"
      elsif EQUAL.bind_call(key, false) then "false"
      end
    end
  end
end
