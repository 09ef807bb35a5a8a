# Turns an exception into an error frame: what Ruby would print of it, and the line in the code.
#
# Nothing an exception does may hurt: its `message` may raise, return nonsense or be huge, its causes
# may be many. The harness's own frames do not appear, because of its files' names (loader.rb).

module Torpor
  module Errors
    include Natives

    # Of a longer backtrace the innermost and the outermost frames are told.
    INNER_FRAMES, OUTER_FRAMES = 40, 20
    # Exceptions that are told as causes of each other.
    MOST_CAUSES = 8
    # Where frames stand that were called by nobody's code.
    HARNESS = "<internal:"
    # Lines about it in a message, which tells of all threads when they wait for each other.
    HARNESS_LINES = /^.*<internal:torpor.*(?:\n|\z)/

    def self.frame(error, cell, limits)
      chars = HASH_GET.bind_call(limits, "messageChars")
      message = message_of(error)
      lines = traceback(error)
      lines = MAP.bind_call(lines) { |line| Text.cap(line, chars) }
      Frames.error(
        name_of(error), Text.cap(message, chars),
        shorten(lines, HASH_GET.bind_call(limits, "tracebackLines")), line_number(error, message, cell)
      )
    end

    def self.name_of(error)
      kind = CLASS_OF.bind_call(error)
      Text.utf8(MODULE_NAME.bind_call(kind) || MODULE_TO_S.bind_call(kind))
    end

    def self.message_of(error)
      text = error.message
      IS_A.bind_call(STRING, text) ? without_harness(Text.utf8(text)) : untold(error)
    rescue Anything
      untold(error)
    end

    def self.untold(error) = "<the message of this #{name_of(error)} cannot be told>"

    # The message with its class and what Ruby knows besides, such as "Did you mean?".
    def self.details_of(error)
      text = error.detailed_message(highlight: false)
      IS_A.bind_call(STRING, text) ? without_harness(Text.utf8(text)) : "#{message_of(error)} (#{name_of(error)})"
    rescue Anything
      "#{message_of(error)} (#{name_of(error)})"
    end

    def self.without_harness(text)
      CONTAINS.bind_call(text, HARNESS) ? REPLACE.bind_call(text, HARNESS_LINES, "") : text
    end

    def self.traceback(error)
      lines = []
      told = []
      while error and BELOW.bind_call(SIZE.bind_call(told), MOST_CAUSES)
        break if seen?(told, error)
        APPEND.bind_call(told, error)
        tell(error, lines)
        error = CAUSE.bind_call(error)
      end
      lines
    end

    def self.seen?(told, error)
      found = SELECT.bind_call(told) { |one| EQUAL.bind_call(one, error) }
      FIRST.bind_call(found)
    end

    def self.tell(error, lines)
      frames = user_frames(error)
      place = FIRST.bind_call(frames)
      text = place ? "#{Text.utf8(place)}: #{details_of(error)}" : details_of(error)
      ARRAY_EACH.bind_call(SPLIT.bind_call(text, "\n")) { |line| APPEND.bind_call(lines, line) }
      last = LAST.bind_call(frames, Text.room(SIZE.bind_call(frames), 1))
      ARRAY_EACH.bind_call(thin(last)) { |line| APPEND.bind_call(lines, line) }
    end

    def self.thin(frames)
      size = SIZE.bind_call(frames)
      most = PLUS.bind_call(INNER_FRAMES, OUTER_FRAMES)
      return shown(frames) unless ABOVE.bind_call(size, most)
      gap = "\t ... #{Text.grouped(MINUS.bind_call(size, most))} levels..."
      ADD.bind_call(
        APPEND.bind_call(shown(FIRST.bind_call(frames, INNER_FRAMES)), gap),
        shown(LAST.bind_call(frames, OUTER_FRAMES))
      )
    end

    def self.shown(frames) = MAP.bind_call(frames) { |place| "\tfrom #{Text.utf8(place)}" }

    # Below the user's own frames is the one that called them, which stands for all of the harness.
    def self.user_frames(error)
      frames = BACKTRACE.bind_call(error)
      return [] unless IS_A.bind_call(ARRAY, frames)
      size = SIZE.bind_call(frames)
      return [] if EQUAL.bind_call(size, 0)
      ours = STARTS.bind_call(FIRST.bind_call(LAST.bind_call(frames, 1)), HARNESS)
      ours ? FIRST.bind_call(frames, MINUS.bind_call(size, 1)) : frames
    end

    # Of a syntax error the line it names, else of the innermost frame in the code.
    def self.line_number(error, message, cell)
      place = "#{cell}:"
      return number_after(message, place) if IS_A.bind_call(SYNTAX_ERROR, error) and STARTS.bind_call(message, place)
      found = FIND.bind_call(user_frames(error)) { |frame| STARTS.bind_call(frame, place) }
      found ? number_after(found, place) : nil
    end

    def self.number_after(text, place)
      size = CHARS.bind_call(place)
      TO_INTEGER.bind_call(SLICE.bind_call(text, size, CHARS.bind_call(text)))
    end

    # The first and the last lines; what is told first says most.
    def self.shorten(lines, most)
      size = SIZE.bind_call(lines)
      return lines unless ABOVE.bind_call(size, most)
      tail = DIVIDE.bind_call(most, 3)
      head = MINUS.bind_call(MINUS.bind_call(most, tail), 1)
      gap = " ... #{MINUS.bind_call(MINUS.bind_call(size, head), tail)} lines left out ..."
      ADD.bind_call(APPEND.bind_call(FIRST.bind_call(lines, head), gap), LAST.bind_call(lines, tail))
    end
  end
end
