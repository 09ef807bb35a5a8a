"""What lives on from one execution to the next, and how code ends itself."""

from tests.contract.cases_ruby.common import value

STATE = (
    value("variables live on", "x = 20", "x += 1", "x * 2", text="42"),
    value("methods live on", "def f(n)\n  n * 2\nend", "f(21)", text="42"),
    value("a method is private as in a script", "def f = 1", "Object.new.f", error="NoMethodError"),
    value(
        "classes live on",
        "class A\n  attr_reader :n\n  def initialize(n) = @n = n\nend",
        "a = A.new(3)",
        "a.n",
        text="3",
    ),
    value(
        "a class is reopened", "class A; def f = 1; end", "class A; def g = f + 1; end", "A.new.g", text="2"
    ),
    value("constants live on", "LIMIT = 5", "LIMIT", text="5"),
    value("globals live on", "$g = 5", "$g", text="5"),
    value("instance variables of main live on", "@i = 5", "@i", text="5"),
    value("closures live on", "n = 0; up = -> { n += 1 }", "up.call", "up.()", "n", text="2"),
    value(
        "a closure sees variables of later executions change",
        "n = 1; show = -> { n }",
        "n = 7",
        "show.call",
        text="7",
    ),
    value("a suspended fiber lives on", "f = Fiber.new { Fiber.yield 1; 2 }; f.resume", "f.resume", text="2"),
    value("an enumerator lives on", "e = [1, 2, 3].each; e.next", "e.next", "e.next", text="3"),
    value(
        "a generator without end lives on",
        "g = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }; 8.times { g.next }",
        "g.next",
        text="21",
    ),
    value(
        "a StringIO lives on",
        "require 'stringio'\ns = StringIO.new(\"a\\nb\\n\"); s.gets",
        "s.gets",
        text='"b\\n"',
    ),
    value(
        "a refinement lives on",
        "using Module.new { refine(String) { def shout = upcase + '!' } }",
        "'a'.shout",
        text='"A!"',
    ),
    value(
        "an open file lives on",
        "f = File.open('a', 'w+'); f.puts 'one', 'two'; f.rewind; f.gets",
        "f.gets",
        text='"two\\n"',
    ),
    value("libraries live on", "require 'time'", "Time.parse('2024-01-02').day", text="2"),
    value(
        "a failed execution keeps what it did before", "y = 1\nraise 'x'", "y", text="1", may_fail_before=True
    ),
    value("self is main", "self.to_s", text='"main"'),
    value("__FILE__ is $0, as in a script", "__FILE__ == $0", text="true"),
    value("the cell is its file", "1", "__FILE__", text='"<cell 2>"'),
    value("there is no local variable of the harness", "binding.local_variables", json=[]),
    value("there is no constant of the harness", "Object.constants.grep(/torpor/i)", json=[]),
    value("a hash remembers its order", "h = {b: 1}", "h[:a] = 2; h.keys", json=["b", "a"]),
    value(
        "a generator of the user's is not reseeded",
        "r = Random.new(42); r.rand",
        "s = Random.new(42); s.rand; r.rand == s.rand",
        text="true",
    ),
    value("many variables", *(f"v{n} = {n}" for n in range(30)), "v0 + v29", text="29"),
)

ENDINGS = (
    value("exit ends the execution with status 0", "puts 1; exit; puts 2", stdout="1\n", exit_status=0),
    value("and not the context", "x = 3; exit", "x", text="3"),
    value("an exit status is kept", "exit 3", error="SystemExit", message="exit", exit_status=3, line=1),
    value("an exit status is a byte", "exit(-1)", error="SystemExit", exit_status=255),
    value("exit(true) is a success", "exit(true)", exit_status=0),
    value("exit(false) is none", "exit(false)", error="SystemExit", exit_status=1),
    value("abort says why", "abort 'bye'", error="SystemExit", message="bye", exit_status=1, stderr="bye\n"),
    value("exit! ends the execution, too", "exit!(4)", error="SystemExit", exit_status=4),
    value("and not the context either", "x = 3; exit!", "x", text="3", may_fail_before=True),
    value("Process.exit!", "Process.exit!(0)", exit_status=0),
    value("an exit that is rescued is none", "begin; exit 3; rescue SystemExit; end; 'on'", text='"on"'),
    value("ending the only thread", "Thread.current.kill", exit_status=0),
    value("at_exit blocks wait for an exit", "at_exit { puts 'bye' }; 1", text="1", stdout=""),
    value(
        "and run when code ends itself",
        "at_exit { puts 1 }; at_exit { puts 2 }",
        "exit",
        stdout="2\n1\n",
        exit_status=0,
    ),
    value("and only once", "at_exit { puts 1 }", "exit", "exit", stdout="", exit_status=0),
    value("exit! does not run them", "at_exit { puts 1 }; exit!(0)", stdout="", exit_status=0),
    value(
        "an at_exit block sets the status", "at_exit { exit 9 }; exit 2", error="SystemExit", exit_status=9
    ),
    value(
        "an at_exit block that fails",
        "at_exit { raise 'late' }; exit",
        stderr_has=("late (RuntimeError)",),
        exit_status=0,
    ),
    value("return at the top is an error", "return 5", error="LocalJumpError", message="unexpected return"),
    value(
        "a return from a proc at the top, too", "proc { return }.call", "2", text="2", may_fail_before=True
    ),
    value("break at the top does not compile", "break", error="SyntaxError", line=1),
    value("next at the top does not compile", "puts 1\nnext", error="SyntaxError", line=2, stdout=""),
    value("redo at the top does not compile", "redo", error="SyntaxError", line=1),
    value(
        "a throw that nobody catches",
        "throw :x",
        error="UncaughtThrowError",
        message="uncaught throw :x",
        line=1,
    ),
)
