"""The same work in every language, as data: nothing here runs anything.

Each program prints a checksum that is the same in all languages, so that a wrong answer is never taken for
a fast one. The sizes are such that an execution's default fuel suffices in the slowest guest.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """`prepare` is not part of the work; `timed` is; `check` is an expression for the checksum."""

    prepare: str
    timed: str
    check: str


@dataclass(frozen=True, slots=True)
class Program:
    """One piece of work: binding -> how it is written there."""

    title: str
    checksum: str
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class Language:
    """How a binding's language tells the time and prints: templates, for the work and for an expression."""

    #: The command of the interpreter of the machine that a guest is compared with.
    native: tuple[str, ...]
    #: The last line's value is the milliseconds that `{timed}` took.
    stopwatch: str
    printing: str


LANGUAGES = {
    "JAVASCRIPT": Language(
        ("node",),
        "{prepare}\nvar began = performance.now();\n{timed}\nvar took = performance.now() - began;\ntook",
        "console.log(String({check}))",
    ),
    "PERL": Language(
        ("perl",),
        "use Time::HiRes ();\n{prepare}\nmy $began = Time::HiRes::time();\n{timed}\n"
        "my $took = (Time::HiRes::time() - $began) * 1e3;\n$took",
        'print {check}, "\\n"',
    ),
    "RUBY": Language(
        ("ruby",),
        "{prepare}\nbegan = Process.clock_gettime(Process::CLOCK_MONOTONIC)\n{timed}\n"
        "took = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - began) * 1e3\ntook",
        "puts({check})",
    ),
}

_FIB = Program(
    "recursive fib(25)",
    "75025",
    {
        "JAVASCRIPT": Source(
            "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }",
            "var answer = fib(25);",
            "answer",
        ),
        "PERL": Source(
            "sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }",
            "my $answer = fib(25);",
            "$answer",
        ),
        "RUBY": Source("def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)", "answer = fib(25)", "answer"),
    },
)

#: A multiplicative generator whose products are exact in doubles too.
_SORT = Program(
    "sort of 100,000 numbers",
    "6551 1071077960 2147477497",
    {
        "JAVASCRIPT": Source(
            "var x = 1, numbers = [];\n"
            "for (var i = 0; i < 100000; i++) { x = x * 48271 % 2147483647; numbers.push(x); }",
            "var sorted = [...numbers].sort((a, b) => a - b);",
            "[sorted[0], sorted[50000], sorted[99999]].join(' ')",
        ),
        "PERL": Source(
            "my ($x, @numbers) = (1);\n"
            "for (1 .. 100_000) { $x = $x * 48271 % 2147483647; push @numbers, $x }",
            "my @sorted = sort { $a <=> $b } @numbers;",
            "join(' ', @sorted[0, 50_000, 99_999])",
        ),
        "RUBY": Source(
            "x = 1\nnumbers = Array.new(100_000) { x = x * 48271 % 2147483647 }",
            "sorted = numbers.sort",
            "sorted.values_at(0, 50_000, 99_999).join(' ')",
        ),
    },
)

#: Perl's is JSON::PP, which is written in Perl: the one that comes with it.
_JSON = Program(
    "JSON of 1,000 objects, written and read",
    "45781 499500",
    {
        "JAVASCRIPT": Source(
            "var row = (id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] });\n"
            "var rows = Array.from({ length: 1000 }, (_, i) => row(i));",
            "var text = JSON.stringify(rows);\nvar back = JSON.parse(text);",
            "text.length + ' ' + back.reduce((sum, row) => sum + row.id, 0)",
        ),
        "PERL": Source(
            "use JSON::PP ();\nmy $json = JSON::PP->new->canonical;\n"
            "my @rows = map { { id => $_, name => \"name $_\", tags => ['a', 'b'] } } 0 .. 999;",
            "my $text = $json->encode(\\@rows);\nmy $back = $json->decode($text);",
            "do { my $sum = 0; $sum += $_->{id} for @$back; length($text) . ' ' . $sum }",
        ),
        "RUBY": Source(
            'require "json"\nrows = Array.new(1000) { |i| { id: i, name: "name #{i}", tags: %w[a b] } }',
            "text = JSON.generate(rows)\nback = JSON.parse(text)",
            "\"#{text.length} #{back.sum { |row| row['id'] }}\"",
        ),
    },
)

_REGEX = Program(
    "regular expression over 300 kB",
    "13000 598000",
    {
        "JAVASCRIPT": Source(
            "var text = 'lorem ipsum 12-34 dolor '.repeat(13000);",
            "var found = [...text.matchAll(/(\\d+)-(\\d+)/g)];",
            "found.length + ' ' + found.reduce((sum, [, a, b]) => sum + Number(a) + Number(b), 0)",
        ),
        "PERL": Source(
            "my $text = 'lorem ipsum 12-34 dolor ' x 13_000;",
            "my @found;\nwhile ($text =~ /(\\d+)-(\\d+)/g) { push @found, [$1, $2] }",
            "do { my $sum = 0; $sum += $_->[0] + $_->[1] for @found; @found . ' ' . $sum }",
        ),
        "RUBY": Source(
            "text = 'lorem ipsum 12-34 dolor ' * 13_000",
            "found = text.scan(/(\\d+)-(\\d+)/)",
            '"#{found.size} #{found.sum { |a, b| a.to_i + b.to_i }}"',
        ),
    },
)

_TEXT = Program(
    "text of 100,000 parts, appended",
    "588890 99999,",
    {
        "JAVASCRIPT": Source(
            "",
            "var built = '';\nfor (var i = 0; i < 100000; i++) built += i + ',';",
            "built.length + ' ' + built.slice(-6)",
        ),
        "PERL": Source(
            "",
            "my $built = '';\nfor my $i (0 .. 99_999) { $built .= \"$i,\" }",
            "length($built) . ' ' . substr($built, -6)",
        ),
        "RUBY": Source(
            "",
            'built = +""\n100_000.times { |i| built << "#{i}," }',
            '"#{built.length} #{built[-6..]}"',
        ),
    },
)

PROGRAMS = (_FIB, _SORT, _JSON, _REGEX, _TEXT)


def timed(program: Program, binding: str) -> str:
    """Code whose last value is the milliseconds that the work took."""
    source = program.sources[binding]
    return _filled(LANGUAGES[binding].stopwatch, prepare=source.prepare, timed=source.timed)


def checked(program: Program, binding: str) -> str:
    """Code that does the work and prints the checksum."""
    source = program.sources[binding]
    printing = _filled(LANGUAGES[binding].printing, check=source.check)
    return "\n".join((source.prepare, source.timed, printing))


def _filled(template: str, **parts: str) -> str:
    for name, part in parts.items():
        template = template.replace(f"{{{name}}}", part)
    return template
