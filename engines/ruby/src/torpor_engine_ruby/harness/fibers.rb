# Has the collector look for fibers that nobody can reach any more.
#
# Each fiber, and each enumerator that is asked for its `next`, has a stack of its own, which Ruby's collector
# does not count as memory: a program that drops them would run out of memory before it looks for garbage.

module Torpor
  module Fibers
    include Natives

    # New fibers after which the collector runs, and runs of it after which one of them is a thorough one.
    MANY, THOROUGH = 24, 8

    COLLECT = ::GC.method(:start).unbind
    COLLECTOR = ::GC
    IS_STARTED, REMEMBER = Natives.of(::ObjectSpace::WeakMap, :key?, :[]=)

    @started = ::ObjectSpace::WeakMap.new
    @new = @runs = 0

    def self.install
      make = Natives.class_method(::Fiber, :new)
      ::Fiber.define_singleton_method(:new) do |*arguments, **options, &block|
        Fibers.count
        make.bind_call(self, *arguments, **options, &block)
      end
      %i[next peek next_values peek_values].each do |name|
        original = ::Enumerator.instance_method(name)
        ::Enumerator.define_method(name) do
          Fibers.start(self)
          original.bind_call(self)
        end
      end
    end

    def self.start(enumerator)
      return if IS_STARTED.bind_call(@started, enumerator)
      REMEMBER.bind_call(@started, enumerator, true)
      count
    end

    def self.count
      @new = PLUS.bind_call(@new, 1)
      return if BELOW.bind_call(@new, MANY)
      @new = 0
      @runs = PLUS.bind_call(@runs, 1)
      thorough = EQUAL.bind_call(@runs, THOROUGH)
      @runs = 0 if thorough
      COLLECT.bind_call(COLLECTOR, full_mark: thorough)
    end
  end
end
