"""stdout, stderr and stdin, and what is cut."""

from tests.contract.cases_ruby.common import value
from tests.contract.expectations import Step

STREAMS = (
    value(
        "stdout and stderr keep their order",
        "puts 'a'; $stderr.puts 'b'; print 'c'; warn 'd'; puts 'e'",
        output="a\nb\ncd\ne\n",
        stderr="b\nd\n",
    ),
    value("output without a newline arrives", "print 'no newline'", stdout="no newline"),
    value("output in every plane", 'puts "é漢😀\\u{10ffff}"', stdout="é漢😀\U0010ffff\n"),
    value("output that is no text", 'print "\\xff!"', stdout="\ufffd!"),
    value("what p and pp print", "p 1, 'a'; pp({a: 1})", stdout='1\n"a"\n{a: 1}\n'),
    value("output of a failing execution arrives", "puts 1; raise 'x'", error="RuntimeError", stdout="1\n"),
    value(
        "output that is buffered arrives",
        "$stdout.sync = false; print 'a'; STDERR.print 'b'",
        stdout="a",
        stderr="b",
    ),
    value(
        "gets reads stdin",
        Step("[gets, gets, gets]", stdin="one\nzwei ü\n"),
        text='["one\\n", "zwei ü\\n", nil]',
    ),
    value("gets at the end of stdin", "gets", text=None),
    value("all of stdin", Step("STDIN.read.size", stdin="x" * 100_000), text="100000"),
    value("lines of stdin", Step("$stdin.each_line.map(&:chomp)", stdin="a\nb\n"), json=["a", "b"]),
    value("stdin through ARGF", Step("ARGF.read", stdin="a\nb\n"), text='"a\\nb\\n"'),
    value(
        "stdin is new for each execution",
        Step("gets", stdin="a\nb\nc\n"),
        Step("[$stdin.lineno, $stdin.read]", stdin="new\n"),
        text='[0, "new\\n"]',
    ),
    value(
        "a closed stdin is back in the next execution",
        "$stdin.close",
        Step("gets", stdin="b\n"),
        text='"b\\n"',
    ),
    value("a closed stdout is back in the next execution", "$stdout.close", "puts 'back'", stdout="back\n"),
    value(
        "a redirection left on ends with the execution",
        "require 'stringio'\n$stdout = StringIO.new; puts 'lost'",
        "puts 'seen'",
        stdout="seen\n",
    ),
    value(
        "redirecting stdout",
        "require 'stringio'\ns = StringIO.new; $stdout = s; puts 'x'; $stdout = STDOUT; s.string",
        text='"x\\n"',
        stdout="",
    ),
    value("stdout is given another write", "def $stdout.write(*) = 0", "puts 1", stdout="1\n"),
    value("stdout is given another encoding", "$stdout.set_encoding('UTF-16LE')", "puts 'é'", stdout="é\n"),
    value(
        "inspect prints before the value",
        "class A; def inspect = (puts('i'); 'a'); end; A.new",
        text="a",
        stdout="i\n",
    ),
)

LIMITS = (
    value(
        "a huge text is cut",
        "'x' * 3_000_000",
        text_has=('"xxx', "... [cut: 3,000,002 bytes in all]"),
        truncated={"text/plain": 3_000_002},
    ),
    value(
        "a huge array is cut, and its json left out",
        "Array.new(300_000) { 12345 }",
        text_has=("[12345, ", "bytes in all]"),
        truncated={"application/json": 1_800_001, "text/plain": 2_100_000},
    ),
    value(
        "a cut inside a character",
        "'é' * 600_000",
        text_lacks=("\ufffd",),
        truncated={"text/plain": 1_200_002},
    ),
    value("a flood of output is cut", "100_000.times { puts 'y' * 100 }", stdout_has=("yyy", "output cut")),
    value("a long loop ends at the fuel", "loop { }", error="ExecutionLimitError", message_has=("fuel",)),
)
