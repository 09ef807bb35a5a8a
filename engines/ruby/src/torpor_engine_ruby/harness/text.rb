# Texts for the protocol: any string of Ruby's as valid UTF-8, and cut to a size.
#
# Knows nothing of frames.

module Torpor
  module Text
    include Natives

    # A string as plain UTF-8: bytes that mean nothing become U+FFFD.
    def self.utf8(string)
      encoding = ENCODING_OF.bind_call(string)
      return plain(string) if EQUAL.bind_call(encoding, UTF8) or EQUAL.bind_call(encoding, BINARY)
      begin
        ENCODE.bind_call(string, UTF8, invalid: :replace, undef: :replace, replace: "\uFFFD")
      rescue Anything
        plain(string)
      end
    end

    def self.plain(string)
      copy = RELABEL.bind_call(BYTE_SLICE.bind_call(string, 0, BYTE_SIZE.bind_call(string)), UTF8)
      IS_VALID.bind_call(copy) ? copy : SCRUB.bind_call(copy, "\uFFFD")
    end

    # The beginning of a text and a marker, together within `chars` characters.
    def self.cap(text, chars)
      size = CHARS.bind_call(text)
      return text unless ABOVE.bind_call(size, chars)
      marker = "... [#{grouped(size)} characters in all]"
      "#{SLICE.bind_call(text, 0, room(chars, CHARS.bind_call(marker)))}#{marker}"
    end

    # The same by bytes; `size` is the text's.
    def self.cut(text, bytes, size)
      marker = "\n... [cut: #{grouped(size)} bytes in all]"
      head = BYTE_SLICE.bind_call(text, 0, room(bytes, BYTE_SIZE.bind_call(marker)))
      "#{SCRUB.bind_call(head, "")}#{marker}"
    end

    def self.room(size, taken)
      left = MINUS.bind_call(size, taken)
      BELOW.bind_call(left, 0) ? 0 : left
    end

    # 1234567 as "1,234,567".
    def self.grouped(number)
      return INTEGER_TO_S.bind_call(number) if BELOW.bind_call(number, 1000)
      thousands = DIVIDE.bind_call(number, 1000)
      rest = MINUS.bind_call(number, TIMES.bind_call(thousands, 1000))
      "#{grouped(thousands)},#{SLICE.bind_call(INTEGER_TO_S.bind_call(PLUS.bind_call(rest, 1000)), 1, 3)}"
    end
  end
end
