# Runs one piece of code as a cell of a REPL: in the context's own scope, with the last value as result.
#
# Knows nothing of the device: it gives back what happened as frames.

module Torpor
  module Execution
    include Natives

    BYTE = 255

    # The last value, which `_` shows.
    @last = nil

    class << self
      attr_reader :last
    end

    def self.forget = @last = nil

    # Frames, and the exit status if the code ended itself.
    def self.execute(code, cell, limits)
      Endings.begin
      frames = []
      failure = evaluate(code, cell, frames, limits)
      status = nil
      if failure and IS_A.bind_call(SYSTEM_EXIT, failure)
        status = BIT_AND.bind_call(Endings.run(EXIT_STATUS.bind_call(failure)), BYTE)
        failure = nil if EQUAL.bind_call(status, 0)
      end
      World.leave
      APPEND.bind_call(frames, failure_frame(failure, cell, limits)) if failure
      [frames, status]
    end

    # Evaluate and show; what was raised, or `:stray` when the code left by a `return`.
    def self.evaluate(code, cell, frames, limits)
      result = :stray
      begin
        value = EVALUATE.bind_call(TOP, code, cell, 1)
        show(value, frames, HASH_GET.bind_call(limits, "resultBytes"))
        result = nil
      rescue Anything => error
        result = error
      end
    ensure
      # Takes the place of a stray `return`, which would leave the harness, too.
      return result
    end

    def self.show(value, frames, limit)
      return if EQUAL.bind_call(value, nil)
      text, json = Values.bundle(value)
      World.flush
      APPEND.bind_call(frames, Frames.result(text, json, limit))
      @last = value
    end

    def self.failure_frame(failure, cell, limits)
      return Errors.frame(failure, cell, limits) unless EQUAL.bind_call(failure, :stray)
      message = "unexpected return"
      Frames.error("LocalJumpError", message, ["#{cell}: #{message} (LocalJumpError)"], nil)
    end
  end
end
