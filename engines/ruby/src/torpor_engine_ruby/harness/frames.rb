# Builds the protocol's frames as JSON text, and keeps a result inside its size limit.
#
# Sizes are bytes of UTF-8. A representation that was cut or left out is named, with its true size.

module Torpor
  module Frames
    include Natives

    PLAIN = "text/plain"
    JSON_TYPE = "application/json"
    # Part of the limit that is kept for the text when a larger representation stands beside it.
    TEXT_SHARE = 8

    # Written by the extension in C, which calls no method of the texts, numbers and hashes it is given.
    ENCODER = ::JSON::Ext::Generator::State.new(strict: true, max_nesting: 0)
    GENERATE = ::JSON::Ext::Generator::State.instance_method(:generate)

    def self.encode(value) = GENERATE.bind_call(ENCODER, value)

    def self.error(name, message, traceback, line)
      encode({ type: "error", name:, message:, traceback:, lineNumber: line })
    end

    def self.completion(matches, start) = encode({ type: "completion", matches:, start: })

    def self.done(cwd, status) = encode({ type: "done", cwd:, exitStatus: status })

    # A value's frame, of at most about `limit` bytes of data. `json` is text that is JSON, or nil.
    def self.result(text, json, limit)
      truncated = {}
      room = limit
      size = BYTE_SIZE.bind_call(text)
      if json
        share = DIVIDE.bind_call(limit, TEXT_SHARE)
        reserved = BELOW.bind_call(size, share) ? size : share
        json_size = BYTE_SIZE.bind_call(json)
        if ABOVE.bind_call(json_size, MINUS.bind_call(limit, reserved))
          HASH_SET.bind_call(truncated, JSON_TYPE, json_size)
          json = nil
        else
          room = MINUS.bind_call(limit, json_size)
        end
      end
      if ABOVE.bind_call(size, room)
        HASH_SET.bind_call(truncated, PLAIN, size)
        text = Text.cut(text, room, size)
      end
      data = "\"#{PLAIN}\":#{encode(text)}"
      data = "#{data},\"#{JSON_TYPE}\":#{json}" if json
      "{\"type\":\"result\",\"data\":{#{data}},\"isValue\":true,\"truncated\":#{encode(truncated)}}"
    end
  end
end
