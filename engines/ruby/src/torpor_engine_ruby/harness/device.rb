# The private device: one request is read from it, frames are written to it.
#
# Knows nothing of what requests and frames mean. It is opened anew each time, so that no descriptor of
# the harness's is open while user code runs.

require "json"

module Torpor
  module Device
    include Natives

    PATH = "/dev/torpor"
    PARSER = ::JSON::Ext::ParserConfig.new({})
    PARSE = ::JSON::Ext::ParserConfig.instance_method(:parse)

    def self.request = PARSE.bind_call(PARSER, READ_FILE.bind_call(IO_CLASS, PATH))

    # Append complete frames, a line each.
    def self.write(frames)
      WRITE_FILE.bind_call(IO_CLASS, PATH, "#{JOIN.bind_call(frames, "\n")}\n")
    end
  end
end
