# Everything of Ruby that the harness uses in a turn, saved before user code can replace it.
#
# A saved method is called with `bind_call`, which looks nothing up by a name that the user could have
# redefined. That leaves `bind_call` itself, so the class UnboundMethod is frozen: nobody can change its
# methods. Constants are saved too, as `Object`'s can be removed. In a turn the harness uses only these,
# its own methods, literals, interpolation of strings, and what branches on truth; no operators.
#
# Knows nothing of requests and frames.

module Torpor
  module Natives
    ARRAY, FLOAT, HASH, INTEGER, IO_CLASS, KERNEL, MODULE, RANDOM, STRING, SYMBOL =
      ::Array, ::Float, ::Hash, ::Integer, ::IO, ::Kernel, ::Module, ::Random, ::String, ::Symbol
    SYNTAX_ERROR, SYSTEM_EXIT = ::SyntaxError, ::SystemExit
    UTF8, BINARY = ::Encoding::UTF_8, ::Encoding::BINARY
    TOP, MAIN = ::TOPLEVEL_BINDING, ::TOPLEVEL_BINDING.receiver

    def self.of(owner, *names) = names.map { |name| owner.instance_method(name) }

    def self.class_method(owner, name) = owner.singleton_class.instance_method(name)

    EQUAL, = of(::BasicObject, :equal?)
    CLASS_OF, KERNEL_TO_S, SINGLETON_METHODS = of(::Kernel, :class, :to_s, :singleton_methods)
    IS_A, MODULE_NAME, MODULE_TO_S, CONSTANTS, CONST_GET, CONST_DEFINED, AUTOLOAD, METHODS, PRIVATE_METHODS =
      of(::Module, :===, :name, :to_s, :constants, :const_get, :const_defined?, :autoload?,
         :public_instance_methods, :private_instance_methods)

    STRING_EQUAL, BYTE_SIZE, BYTE_SLICE, CHARS, SLICE, STARTS, TO_INTEGER, SPLIT =
      of(::String, :==, :bytesize, :byteslice, :length, :slice, :start_with?, :to_i, :split)
    CONTAINS, REPLACE = of(::String, :include?, :gsub)
    ENCODING_OF, IS_VALID, ENCODE, RELABEL, SCRUB =
      of(::String, :encoding, :valid_encoding?, :encode, :force_encoding, :scrub)
    APPEND, ADD, SIZE, FIRST, LAST, POP, JOIN, ARRAY_EACH, MAP, SELECT, REJECT, SORT, UNIQUE, INCLUDES =
      of(::Array, :push, :+, :size, :first, :last, :pop, :join, :each, :map, :select, :reject, :sort, :uniq,
         :include?)
    FIND, = of(::Array, :find)
    HASH_GET, HASH_SET, HASH_MERGE = of(::Hash, :[], :[]=, :merge)
    INTEGER_TO_S, PLUS, MINUS, TIMES, DIVIDE, BIT_AND, ABOVE, BELOW =
      of(::Integer, :to_s, :+, :-, :*, :/, :&, :>, :<)
    FLOAT_TO_S, SYMBOL_NAME = *of(::Float, :to_s), *of(::Symbol, :name)
    MATCH, CAPTURE = *of(::Regexp, :match), *of(::MatchData, :[])
    BACKTRACE, CAUSE, EXIT_STATUS = *of(::Exception, :backtrace, :cause), *of(::SystemExit, :status)
    EVALUATE, LOCALS, LOCAL_GET, LOCAL_DEFINED =
      of(::Binding, :eval, :local_variables, :local_variable_get, :local_variable_defined?)
    PROC_CALL, = of(::Proc, :call)
    GLOBALS = class_method(::Kernel, :global_variables)

    FLUSH, IS_CLOSED, SET_SYNC, EXTERNAL_ENCODING, READ, READ_BYTE, SET_LINE_NUMBER, WRITE =
      of(::IO, :flush, :closed?, :sync=, :external_encoding, :read, :getbyte, :lineno=, :syswrite)
    READ_FILE, WRITE_FILE, NEW_IO = %i[binread binwrite for_fd].map { |name| class_method(::IO, name) }
    CHANGE_FOLDER, FOLDER = class_method(::Dir, :chdir), class_method(::Dir, :pwd)
    DIR, ENVIRONMENT, SET_ENVIRONMENT, SEED = ::Dir, ::ENV, class_method(::ENV, :replace), class_method(::Random, :srand)

    ::UnboundMethod.freeze
  end

  # Matches whatever is raised, in a `rescue`; `Exception.===` could be redefined.
  module Anything
    def self.===(_error) = true
  end
end
