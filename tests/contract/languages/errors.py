"""Errors: the language's own name and message, the user's lines, and nothing of the harness."""

from tests.contract.languages.rows import Differs, row

ERRORS = (
    row(
        "an exception has its name, message and line",
        python="x = 1\n\nraise ValueError('not today')",
        javascript="let x = 1\n\nthrow new RangeError('not today')",
        perl='my $x = 1;\n\ndie "not today";',
        ruby="x = 1\n\nraise ArgumentError, 'not today'",
        error="ValueError",
        message="not today",
        line=3,
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "RangeError"}),
            "PERL": Differs(
                "a die with a text has no class, and its message says where",
                {"error": "PerlError", "message": "not today at <cell 1> line 3."},
            ),
            "RUBY": Differs("its own classes", {"error": "ArgumentError"}),
        },
    ),
    row(
        "the traceback has the user's functions and nothing of the harness",
        python="def inner():\n    return 1 // 0\ndef outer():\n    inner()\nouter()",
        javascript="function inner() {\n  return null.x\n}\nfunction outer() {\n  inner()\n}\nouter()",
        perl="sub inner {\n  return 1 / $_[0];\n}\nsub outer {\n  inner(0);\n}\nouter();",
        ruby="def inner\n  1 / 0\nend\ndef outer\n  inner\nend\nouter",
        error="ZeroDivisionError",
        line=2,
        traceback_has=("<cell 1>", "inner", "outer"),
        traceback_lacks=("torpor", "Torpor", "harness", "eval at", "(eval"),
        differs={
            "JAVASCRIPT": Differs("dividing by zero is Infinity", {"error": "TypeError"}),
            "PERL": Differs("a built-in error has no class", {"error": "PerlError"}),
        },
    ),
    row(
        "the line of an error in an earlier cell's function is that cell's",
        python=("def broken():\n    raise KeyError('k')", "\n\n\nbroken()"),
        javascript=("function broken() {\n  throw new Error('k')\n}", "\n\n\nbroken()"),
        perl=("sub broken {\n  die 'k';\n}", "\n\n\nbroken();"),
        ruby=("def broken\n  raise KeyError, 'k'\nend", "\n\n\nbroken"),
        error="KeyError",
        line=4,
        traceback_has=("<cell 1>", "<cell 2>", "broken"),
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "Error"}),
            "PERL": Differs("a die with a text has no class", {"error": "PerlError"}),
        },
    ),
    row(
        "a syntax error has its line and runs nothing",
        python="print('never')\nx = = 1",
        javascript="console.log('never')\nlet x = = 1",
        perl='print "never";\nmy $x = = 1;',
        ruby="puts 'never'\nx = = 1",
        error="SyntaxError",
        line=2,
        stdout="",
        differs={"PERL": Differs("Perl's own word for it", {"error": "CompileError"})},
    ),
    row(
        "an exception of the user's own class",
        python="class Spilled(Exception): pass\nraise Spilled('tea')",
        javascript="class Spilled extends Error { name = 'Spilled' }\nthrow new Spilled('tea')",
        perl="package Spilled { sub new { bless {message => $_[1]}, $_[0] } } die Spilled->new('tea');",
        ruby="class Spilled < StandardError; end\nraise Spilled, 'tea'",
        error="Spilled",
        message_has=("tea",),
    ),
    row(
        "a cause is told",
        python="try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise RuntimeError('outer') from e",
        javascript="try { null.x } catch (e) { throw new Error('outer', {cause: e}) }",
        perl='eval { die "inner\\n" }; die "outer: $@";',
        ruby="begin\n  raise 'inner'\nrescue\n  raise 'outer'\nend",
        error="RuntimeError",
        message_has=("outer",),
        traceback_has=("ZeroDivisionError",),
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "Error", "traceback_has": ("TypeError",)}),
            "PERL": Differs(
                "Perl has no causes: people put them into the message",
                {"error": "PerlError", "traceback_has": ("outer: inner",)},
            ),
            "RUBY": Differs("its own classes", {"traceback_has": ("inner",)}),
        },
    ),
    row(
        "an exception whose message cannot be had",
        python="class Bad(Exception):\n    def __str__(self): raise self\nraise Bad()",
        javascript="class Bad extends Error { name = 'Bad'; get message() { throw this } }\nthrow new Bad()",
        perl=(
            "package Bad { use overload '\"\"' => sub { die $_[0] "
            "}, fallback => 1; sub new { bless {} } } die Bad->new;"
        ),
        ruby="class Bad < StandardError; def message = raise(self); def to_s = raise(self); end\nraise Bad",
        error="Bad",
    ),
    row(
        "a huge message is cut",
        python="raise ValueError('x' * 10**6)",
        javascript="throw new Error('x'.repeat(10**6))",
        perl="die 'x' x 10**6;",
        ruby="raise ArgumentError, 'x' * 10**6",
        error="ValueError",
        message_has=("xxxx",),
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "Error"}),
            "PERL": Differs("a die with a text has no class", {"error": "PerlError"}),
            "RUBY": Differs("its own classes", {"error": "ArgumentError"}),
        },
    ),
    row(
        "output before an error is kept and comes before it",
        python="print('before')\nraise OSError('after')",
        javascript="console.log('before')\nthrow new Error('after')",
        perl='print "before\\n";\ndie "after\\n";',
        ruby="puts 'before'\nraise IOError, 'after'",
        stdout="before\n",
        error="OSError",
        message="after",
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "Error"}),
            "PERL": Differs("a die with a text has no class", {"error": "PerlError"}),
            "RUBY": Differs("its own classes", {"error": "IOError"}),
        },
    ),
    row(
        "a name that was never given",
        python="nobody",
        javascript="nobody",
        perl="use strict; $nobody",
        ruby="nobody",
        error="NameError",
        message_has=("nobody",),
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "ReferenceError"}),
            "PERL": Differs("under strict the compiler refuses it", {"error": "CompileError"}),
        },
    ),
)
