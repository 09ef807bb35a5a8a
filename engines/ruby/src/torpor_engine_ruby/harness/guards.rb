# Changes to Ruby that the machine asks for: what cannot work says so, and ending code does not end the
# interpreter. Installed once, at boot; the methods may be redefined like any other.

require "etc"
require "timeout"

module Torpor
  module Guards
    # Frames of this file are shown where they were called from (loader.rb).
    FILE = "<internal:torpor/guards.rb>"
    NO_PROCESSES = "there are no processes in the sandbox: nothing else can be started"
    NO_THREADS = "there are no threads in the sandbox: call the block directly, or use a Fiber"
    NO_TIMEOUT = "there are no threads in the sandbox, so Timeout cannot interrupt a block: call it directly"
    NO_RACTORS = "there are no ractors in the sandbox"
    NO_PIPES = "there are no pipes in the sandbox: use a StringIO or a file"
    NO_SIGNALS = "there are no signals in the sandbox"

    # Replace methods of `owner` by ones that say why they fail. Written as source, so that a backtrace
    # names the method.
    def self.refuse(owner, reason, *names)
      names.each do |name|
        hidden = owner.private_method_defined?(name)
        owner.class_eval("def #{name}(*, **, &_) = ::Kernel.raise(::NotImplementedError, #{reason.dump})", FILE)
        owner.send(:private, name) if hidden
      end
    end

    def self.install
      refuse(::Kernel, NO_PROCESSES, :system, :`, :spawn, :exec, :fork)
      refuse(::Kernel.singleton_class, NO_PROCESSES, :system, :`, :spawn, :exec, :fork)
      refuse(::Process.singleton_class, NO_PROCESSES, :spawn, :exec, :fork, :daemon, :wait, :wait2, :waitpid,
             :waitpid2, :waitall, :detach)
      refuse(::Process.singleton_class, NO_SIGNALS, :kill)
      refuse(::IO.singleton_class, NO_PROCESSES, :popen)
      refuse(::IO.singleton_class, NO_PIPES, :pipe)
      refuse(::Thread.singleton_class, NO_THREADS, :new, :start, :fork)
      refuse(::Ractor.singleton_class, NO_RACTORS, :new)
      refuse_timeouts
      keep_temporary_files
      refuse_libraries
    end

    # `exit!` would end the interpreter; it ends the execution, without what `at_exit` left to do.
    def self.install_exit(leave_at_once)
      [::Kernel, ::Kernel.singleton_class, ::Process.singleton_class].each do |owner|
        owner.define_method(:exit!) do |status = false|
          leave_at_once.call
          ::Kernel.exit(status)
        end
      end
      ::Kernel.send(:private, :exit!)
    end

    # Without a limit there is nothing to interrupt.
    def self.refuse_timeouts
      original = ::Timeout.method(:timeout).unbind
      ::Timeout.define_singleton_method(:timeout) do |seconds, *rest, **options, &block|
        ::Kernel.raise(::NotImplementedError, NO_TIMEOUT) unless seconds.nil? || seconds.zero?
        original.bind_call(::Timeout, seconds, *rest, **options, &block)
      end
    end

    # /workspace is the only writable place.
    def self.keep_temporary_files
      ::Etc.define_singleton_method(:systmpdir) { World::FALLBACK_FOLDER }
    end

    # Libraries that are compiled in and would only end the interpreter: the bridge to a JavaScript host, and
    # continuations, whose jump buffers have no room in this build.
    NO_LIBRARY = { "js" => "there is no JavaScript in the sandbox", "continuation" => "use a Fiber" }.freeze

    def self.refuse_libraries
      [::Kernel, ::Kernel.singleton_class].each do |owner|
        original = owner.instance_method(:require)
        owner.define_method(:require) do |name|
          reason = ::String === name && NO_LIBRARY[name[/\A\w+/]]
          ::Kernel.raise(::LoadError, "cannot load such file -- #{name} (#{reason})") if reason
          original.bind_call(self, name)
        end
        owner.send(:private, :require) if owner.equal?(::Kernel)
      end
    end
  end
end
