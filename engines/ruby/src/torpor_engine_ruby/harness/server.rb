# The harness's entry: serves the request on the device.

module Torpor
  module Server
    include Natives

    def self.boot
      Guards.install
      Environment.install
      Traces.install
      Endings.install
      MAIN.define_singleton_method(:_) { Execution.last }
      MAIN.singleton_class.send(:private, :_)
      Warmup.run
      Server
    end

    def self.serve
      request = Device.request
      STRING_EQUAL.bind_call(HASH_GET.bind_call(request, "op"), "execute") ? execute(request) : complete(request)
      # The module would remember any other value that it returned to its host.
      nil
    end

    def self.execute(request)
      cell = "<cell #{INTEGER_TO_S.bind_call(HASH_GET.bind_call(request, "count"))}>"
      World.enter(request, cell)
      frames, status =
        Execution.execute(HASH_GET.bind_call(request, "code"), cell, HASH_GET.bind_call(request, "limits"))
      Device.write(APPEND.bind_call(frames, Frames.done(World.folder, status)))
    end

    def self.complete(request)
      World.attempt { World.reseed(HASH_GET.bind_call(request, "entropy")) }
      cursor = HASH_GET.bind_call(request, "cursor")
      matches, start = World.attempt { Completion.complete(HASH_GET.bind_call(request, "code"), cursor) }
      Device.write([Frames.completion(matches || [], start || cursor), Frames.done(World.folder, nil)])
    end
  end
end
