# What could stand at the cursor: local and other variables, constants, methods, keywords.
#
# Runs no user code: an expression before a dot is followed only if it is a variable or a constant that
# is loaded already, and objects are not asked, only their classes.

module Torpor
  module Completion
    include Natives

    MOST = 500
    # What is completed, with the variable or the constant before it.
    PLACE = /(?:(?<owner>(?:::)?[\p{L}_@][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*)(?<dot>&?\.|::))?(?<stem>(?:@@?|\$)?[\p{L}\p{N}_]*[?!]?)\z/
    # An expression of another kind: nothing is known of its value.
    UNKNOWN = /(?:\.|::)[\p{L}\p{N}_]*[?!]?\z/
    NAME = /\A(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*[?!]?\z/
    CONSTANT = /\A\p{Lu}/
    KEYWORDS = %w[
      __FILE__ __LINE__ __method__ alias and begin break case class def defined? do else elsif end ensure
      false for if in module next nil not or redo rescue retry return self super then true undef unless
      until when while yield
    ].freeze
    OBJECT = ::Object
    IVARS, = Natives.of(::Kernel, :instance_variables)
    IVAR, = Natives.of(::Kernel, :instance_variable_get)
    # Stands for what cannot be found; never shown to anyone.
    NOTHING = ::BasicObject.new

    # The matches, and where in `code` the text begins that they replace.
    def self.complete(code, cursor)
      before = SLICE.bind_call(code, 0, cursor)
      place = MATCH.bind_call(PLACE, before)
      owner, stem = CAPTURE.bind_call(place, "owner"), CAPTURE.bind_call(place, "stem")
      start = MINUS.bind_call(cursor, CHARS.bind_call(stem))
      names = owner ? members(owner, CAPTURE.bind_call(place, "dot")) : names_without_owner(before, stem)
      [fitting(names, stem), start]
    end

    def self.fitting(names, stem)
      texts = MAP.bind_call(names) { |name| IS_A.bind_call(SYMBOL, name) ? SYMBOL_NAME.bind_call(name) : name }
      found = SELECT.bind_call(texts) { |text| STARTS.bind_call(text, stem) && MATCH.bind_call(NAME, text) }
      FIRST.bind_call(SORT.bind_call(UNIQUE.bind_call(found)), MOST)
    end

    def self.names_without_owner(before, stem)
      return [] if EQUAL.bind_call(CHARS.bind_call(stem), 0) || MATCH.bind_call(UNKNOWN, before)
      return GLOBALS.bind_call(KERNEL) if STARTS.bind_call(stem, "$")
      return IVARS.bind_call(MAIN) if STARTS.bind_call(stem, "@")
      functions = ADD.bind_call(PRIVATE_METHODS.bind_call(OBJECT), SINGLETON_METHODS.bind_call(MAIN))
      variables = ADD.bind_call(LOCALS.bind_call(TOP), CONSTANTS.bind_call(OBJECT))
      ADD.bind_call(ADD.bind_call(variables, functions), KEYWORDS)
    end

    def self.members(owner, dot)
      value = look_up(owner)
      return [] if EQUAL.bind_call(value, NOTHING)
      names = ADD.bind_call(METHODS.bind_call(CLASS_OF.bind_call(value)), SINGLETON_METHODS.bind_call(value))
      return names unless STRING_EQUAL.bind_call(dot, "::") && IS_A.bind_call(MODULE, value)
      ADD.bind_call(CONSTANTS.bind_call(value), names)
    end

    def self.look_up(owner)
      return MAIN if STRING_EQUAL.bind_call(owner, "self")
      return IVAR.bind_call(MAIN, owner) if STARTS.bind_call(owner, "@")
      return constant(owner) if MATCH.bind_call(CONSTANT, owner) || STARTS.bind_call(owner, "::")
      LOCAL_DEFINED.bind_call(TOP, owner) ? LOCAL_GET.bind_call(TOP, owner) : NOTHING
    end

    def self.constant(path)
      value = OBJECT
      ARRAY_EACH.bind_call(SPLIT.bind_call(path, "::")) do |name|
        next if EQUAL.bind_call(CHARS.bind_call(name), 0)
        return NOTHING unless IS_A.bind_call(MODULE, value) && CONST_DEFINED.bind_call(value, name)
        return NOTHING if AUTOLOAD.bind_call(value, name)
        value = CONST_GET.bind_call(value, name)
      end
      value
    end
  end
end
