# The surroundings of an execution: streams, environment, folder, randomness.
#
# Each execution starts in order, whatever the one before did to them. Knows nothing of requests but the
# parts that it is given.

module Torpor
  module World
    include Natives

    FALLBACK_FOLDER = "/workspace"
    INPUT_CHUNK = 65_536

    @output, @errors, @input = ::STDOUT, ::STDERR, ::STDIN

    # What cannot be set up any more, the code must do without: no damage may keep a context from
    # executing at all.
    def self.enter(request, cell)
      attempt { restore_streams }
      attempt { SET_ENVIRONMENT.bind_call(ENVIRONMENT, HASH_GET.bind_call(request, "env")) }
      attempt { enter_folder(HASH_GET.bind_call(request, "cwd")) }
      # So that `if __FILE__ == $0` holds, as in a script.
      attempt { $0 = cell }
      attempt { reseed(HASH_GET.bind_call(request, "entropy")) }
    end

    def self.attempt
      yield
    rescue Anything
      nil
    end

    # The user's streams first, as they may feed ours.
    def self.flush
      attempt { $stdout.flush unless EQUAL.bind_call($stdout, @output) }
      attempt { $stderr.flush unless EQUAL.bind_call($stderr, @errors) }
      attempt { FLUSH.bind_call(@output) }
      attempt { FLUSH.bind_call(@errors) }
    end

    # What is left of the input goes with its execution.
    def self.leave
      attempt { Traces.end }
      flush
      attempt { drop_input }
    end

    def self.drop_input
      return if IS_CLOSED.bind_call(@input)
      SET_LINE_NUMBER.bind_call(@input, 0)
      # Almost always nothing is left, and asking for one byte needs no large buffer.
      return unless READ_BYTE.bind_call(@input)
      nil while READ.bind_call(@input, INPUT_CHUNK)
    end

    def self.restore_streams
      @output = NEW_IO.bind_call(IO_CLASS, 1, "w") unless as_made?(@output)
      @errors = NEW_IO.bind_call(IO_CLASS, 2, "w") unless as_made?(@errors)
      @input = NEW_IO.bind_call(IO_CLASS, 0, "r") unless as_made?(@input)
      SET_SYNC.bind_call(@output, true)
      SET_SYNC.bind_call(@errors, true)
      $stdout = @output unless EQUAL.bind_call($stdout, @output)
      $stderr = @errors unless EQUAL.bind_call($stderr, @errors)
      $stdin = @input unless EQUAL.bind_call($stdin, @input)
    end

    # Not closed, given methods or another encoding.
    def self.as_made?(stream)
      return false if IS_CLOSED.bind_call(stream)
      return false if FIRST.bind_call(SINGLETON_METHODS.bind_call(stream, false))
      EQUAL.bind_call(stream, @input) || EQUAL.bind_call(EXTERNAL_ENCODING.bind_call(stream), nil)
    end

    # A line of the harness's own on stderr, past whatever the stream is by now.
    def self.complain(text)
      flush
      attempt { WRITE.bind_call(@errors, "#{text}\n") }
    end

    def self.enter_folder(path)
      CHANGE_FOLDER.bind_call(DIR, path)
    rescue Anything
      CHANGE_FOLDER.bind_call(DIR, FALLBACK_FOLDER)
    end

    def self.folder
      Text.utf8(FOLDER.bind_call(DIR))
    rescue Anything
      FALLBACK_FOLDER
    end

    # The shared generator. Generators that the user made are the user's.
    def self.reseed(entropy)
      SEED.bind_call(RANDOM, TO_INTEGER.bind_call(entropy, 16)) if entropy
    end
  end
end
