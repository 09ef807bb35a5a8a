"""Code that means harm: a correct outcome each time, and the session is as usable as before.

Before each row a variable is set, and after it that variable is still there (`test_every_language.py`).
"""

from tests.contract.expectations import Step
from tests.contract.languages.rows import Differs, Row, row

#: Units of 1,000 instructions: some tenths of a second in every language.
FUEL = 400_000
LIMIT = "ExecutionLimitError"
#: Bindings -> (code that sets a variable, code that shows 42 as long as it is there).
KEPT = {
    "PYTHON": ("kept = 41", "kept + 1"),
    "JAVASCRIPT": ("let kept = 41", "kept + 1"),
    "PERL": ("my $kept = 41;", "$kept + 1"),
    "RUBY": ("kept = 41", "kept + 1"),
}


def limited(code: str) -> Step:
    return Step(code, fuel=FUEL)


def brief(code: str) -> Step:
    return Step(code, timeout=0.3)


HOSTILE: tuple[Row, ...] = (
    row(
        "an endless loop",
        python=limited("while True: pass"),
        javascript=limited("while (true);"),
        perl=limited("1 while 1;"),
        ruby=limited("loop { }"),
        error=LIMIT,
        message_has=("fuel",),
    ),
    row(
        "an endless loop that catches everything",
        python=limited("while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
        javascript=limited("for (;;) try { for (;;); } catch { } finally { continue }"),
        perl=limited("while (1) { eval { 1 while 1; }; }"),
        ruby=limited("loop { begin; loop { }; rescue Exception; ensure; redo; end }"),
        error=LIMIT,
        message_has=("fuel",),
    ),
    row(
        "an endless loop until the deadline",
        python=brief("while True: pass"),
        javascript=brief("while (true);"),
        perl=brief("1 while 1;"),
        ruby=brief("loop { }"),
        error=LIMIT,
        message_has=("timed out",),
    ),
    row(
        "a sleep past the deadline",
        python=brief("import time; time.sleep(60)"),
        javascript=brief("await new Promise(done => setTimeout(done, 60_000))"),
        perl=brief("sleep 60;"),
        ruby=brief("sleep 60"),
        error=LIMIT,
        message_has=("timed out",),
    ),
    row(
        "endless recursion",
        python="def f(n): return f(n + 1)\nf(0)",
        javascript="function f(n) { return 1 + f(n + 1) }\nf(0)",
        perl="no warnings; sub f { return 1 + f($_[0] + 1) } f(0);",
        ruby="def f(n) = 1 + f(n + 1)\nf(0)",
        error="RecursionError",
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "RangeError"}),
            "PERL": Differs(
                "Perl's recursion is bounded by memory alone, whose exhaustion ends the interpreter",
                {"error": LIMIT, "message_has": ("memory",)},
            ),
            "RUBY": Differs("its own classes", {"error": "SystemStackError"}),
        },
    ),
    row(
        "a memory bomb",
        python="hoard = []\nwhile True: hoard.append(bytearray(10**6))",
        javascript="const hoard = []; while (true) hoard.push(new Uint8Array(10**6).fill(1))",
        perl="my @hoard; push @hoard, 'x' x 1_000_000 while 1;",
        ruby="hoard = []; loop { hoard << 'x' * 1_000_000 }",
        error="MemoryError",
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "InternalError"}),
            "PERL": Differs(
                "Perl ends itself when memory is exhausted", {"error": LIMIT, "message_has": ("memory",)}
            ),
            "RUBY": Differs("its own classes", {"error": "NoMemoryError"}),
        },
    ),
    row(
        "a flood of output",
        python="for _ in range(40): print('y' * 100_000)",
        javascript="for (let i = 0; i < 40; i++) console.log('y'.repeat(100_000))",
        perl="print 'y' x 100_000, \"\\n\" for 1 .. 40; undef",
        ruby="40.times { puts 'y' * 100_000 }; nil",
        stdout_has=("yyyy", "[output cut: 4000040 bytes were written"),
    ),
    row(
        "a structure nested 50,000 deep, shown",
        python="deep = []\nfor _ in range(50_000): deep = [deep]\ndeep",
        javascript="let deep = []; for (let i = 0; i < 50_000; i++) deep = [deep]\ndeep",
        perl="my $deep = []; $deep = [$deep] for 1 .. 50_000; $deep",
        ruby="deep = []; 50_000.times { deep = [deep] }; deep",
        error="RecursionError",
        differs={
            "JAVASCRIPT": Differs("inspecting shows a few levels", {"error": None, "text_has": ("[",)}),
            "PERL": Differs("what is shown is bounded", {"error": None, "text_has": ("[",)}),
            "RUBY": Differs("what is shown is bounded", {"error": None, "text_has": ("[[[[",)}),
        },
    ),
    row(
        "files opened until there are no more descriptors",
        python="held = []\nwhile True: held.append(open('leak', 'a'))",
        javascript="const held = []; while (true) held.push(require('fs').openSync('leak', 'a'))",
        perl="our @held; while (1) { open my $f, '>>', 'leak' or die \"$!\\n\"; push @held, $f }",
        ruby="held = []; loop { held << File.open('leak', 'a') }",
        error="OSError",
        message_has=("No file descriptors available",),
        differs={
            "JAVASCRIPT": Differs("Node's words", {"error": "Error", "message_has": ("EMFILE",)}),
            "PERL": Differs("the die is the user's", {"error": "PerlError"}),
            "RUBY": Differs("its own classes", {"error": "Errno::EMFILE"}),
        },
    ),
    row(
        "a pattern that backtracks without end",
        python=limited("import re; re.match('(a+)+$', 'a' * 40 + 'b')"),
        javascript=limited("/^(a+)+$/.test('a'.repeat(40) + 'b')"),
        perl=limited("('a' x 60) =~ /^(?:.*a){12}b?[^a]/ ? 1 : 0"),
        ruby=limited("/^(a+)+\\1$/.match?('a' * 40 + 'b')"),
        error=LIMIT,
        message_has=("fuel",),
    ),
    row(
        "ending the process the hard way",
        python="import os; os._exit(7)",
        javascript="process.reallyExit(7)",
        perl="use POSIX (); POSIX::_exit(7);",
        ruby="exit!(7)",
        exit_status=7,
        error="EngineError",
        differs={
            "JAVASCRIPT": Differs("nothing but the execution ends", {"error": "ExitError"}),
            "PERL": Differs("nothing but the execution ends", {"error": "Exit"}),
            "RUBY": Differs("nothing but the execution ends", {"error": "SystemExit"}),
        },
    ),
    row(
        "starting a process",
        python="import subprocess; subprocess.run(['ls'])",
        javascript="require('child_process').execSync('ls')",
        perl="my $status = system 'ls'; die \"no process: $!\\n\" if $status != 0;",
        ruby="system('ls')",
        error="OSError",
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "Error"}),
            "PERL": Differs("system answers -1; the die is the user's", {"error": "PerlError"}),
            "RUBY": Differs("its own classes", {"error": "NotImplementedError"}),
        },
    ),
    row(
        "text of every plane, in the source, the output and the value",
        python="ключ = '\\x01é漢😀𠀀\U000f0000\U0010fffd'\nprint(ключ)\nключ",
        javascript="const ключ = '\\x01é漢😀𠀀\U000f0000\U0010fffd'\nconsole.log(ключ)\nключ",
        perl='use utf8; my $ключ = "\\x01é漢😀𠀀\U000f0000\U0010fffd";\nprint "$ключ\\n";\n$ключ',
        ruby='ключ = "\\x01é漢😀𠀀\U000f0000\U0010fffd"\nputs ключ\nключ',
        stdout="\x01é漢😀𠀀\U000f0000\U0010fffd\n",
        text_has=("é漢😀𠀀",),
    ),
    row(
        "bytes that are no text are written",
        python="import sys; sys.stdout.buffer.write(b'\\xff\\xfe') and None",
        javascript="process.stdout.write(Uint8Array.of(255, 254)); undefined",
        perl="binmode STDOUT, ':raw'; print \"\\xff\\xfe\"; binmode STDOUT, ':utf8'; undef",
        ruby='$stdout.write("\\xff\\xfe".b); nil',
        stdout="\ufffd\ufffd",
    ),
    row(
        "the language's own tools replaced",
        python="import builtins, json\nbuiltins.len = builtins.repr = json.dumps = None\n[1]",
        javascript=(
            "JSON.stringify = Array.prototype.push = Object.keys = globalThis.Map = null\n"
            "String.prototype.split = 1;\n[1]"
        ),
        perl=(
            "no warnings; sub main::print {} *CORE::GLOBAL::die = sub { 1 };\n"
            "*JSON::PP::encode = sub { 2 }; $_ = $, = $\\ = 'x'; [1]"
        ),
        ruby=(
            "class Array; def inspect = 7; def each = 8; end\n"
            "class String; def to_s = 9; end\nmodule Kernel; def puts = 0; end\n[1]"
        ),
        json=[1],
    ),
)
