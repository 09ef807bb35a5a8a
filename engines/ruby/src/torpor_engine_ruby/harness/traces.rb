# Traces (`TracePoint`, `set_trace_func`) see the user's code and not the harness, which they could keep from
# answering, and end with their execution: one that raises at each line could not be switched off.

module Torpor
  module Traces
    include Natives

    SET_FUNCTION = ::Kernel.instance_method(:set_trace_func)
    PATH, DISABLE = Natives.of(::TracePoint, :path, :disable)

    @points = []
    @function = false

    class << self
      attr_accessor :function
      attr_reader :points
    end

    def self.install
      make = Natives.class_method(::TracePoint, :new)
      ::TracePoint.define_singleton_method(:new) do |*events, &block|
        point = make.bind_call(::TracePoint, *events, &(block && Traces.blind(block)))
        Traces.points << point
        point
      end
      ::TracePoint.define_singleton_method(:trace) { |*events, &block| new(*events, &block).tap(&:enable) }
      ::Kernel.define_method(:set_trace_func) do |traced|
        Traces.function = true
        SET_FUNCTION.bind_call(self, traced && Traces.blind_function(traced))
        traced
      end
      ::Kernel.send(:private, :set_trace_func)
    end

    def self.blind(block)
      ->(point) { PROC_CALL.bind_call(block, point) unless ours?(PATH.bind_call(point)) }
    end

    def self.blind_function(traced)
      ->(event, path, *rest) { PROC_CALL.bind_call(traced, event, path, *rest) unless ours?(path) }
    end

    def self.ours?(path) = path && STARTS.bind_call(path, Errors::HARNESS)

    def self.end
      SET_FUNCTION.bind_call(nil, nil) if @function
      @function = false
      ARRAY_EACH.bind_call(@points) { |point| DISABLE.bind_call(point) }
    end
  end
end
