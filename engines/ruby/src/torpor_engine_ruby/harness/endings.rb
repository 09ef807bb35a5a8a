# What `at_exit` left to do. A context is no process and never ends, so the blocks run when code ends
# itself (`exit`, `abort`), the last one first, as they would in a process that ended there; `exit!`
# drops them.

module Torpor
  module Endings
    include Natives

    @blocks = []
    @at_once = false

    def self.install
      add = ->(block) { @blocks << block }
      [::Kernel, ::Kernel.singleton_class].each do |owner|
        owner.define_method(:at_exit) do |&block|
          ::Kernel.raise(::ArgumentError, "called without a block") unless block
          add.call(block)
          block
        end
      end
      ::Kernel.send(:private, :at_exit)
      Guards.install_exit(-> { @at_once = true })
    end

    def self.begin = @at_once = false

    # Run the blocks. The status is the code's own, or that of a block that ends itself, too.
    def self.run(status)
      return status if @at_once
      while (block = POP.bind_call(@blocks))
        status = run_one(block, status)
      end
      status
    end

    def self.run_one(block, status)
      stray = true
      begin
        PROC_CALL.bind_call(block)
      rescue Anything => error
        status = ended_by(error, status)
      end
      stray = false
      status
    ensure
      return status if stray
    end

    def self.ended_by(error, status)
      return EXIT_STATUS.bind_call(error) if IS_A.bind_call(SYSTEM_EXIT, error)
      World.complain(JOIN.bind_call(Errors.traceback(error), "\n"))
      status
    end
  end
end
