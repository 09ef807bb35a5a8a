"""What lives on from one execution to the next, and how code ends itself."""

from tests.contract.languages.rows import Differs, row

STATE = (
    row(
        "a variable",
        python=("n = 41", "n + 1"),
        javascript=("let n = 41", "n + 1"),
        perl=("my $n = 41;", "$n + 1"),
        ruby=("n = 41", "n + 1"),
        text="42",
    ),
    row(
        "a variable is declared anew",
        python=("n = 1", "n = 'two'", "n"),
        javascript=("const n = 1", "let n = 'two'", "n"),
        perl=("my $n = 1;", "my $n = 'two';", "$n"),
        ruby=("n = 1", "n = 'two'", "n"),
        text_has=("two",),
    ),
    row(
        "a function",
        python=("def area(w, h):\n    return w * h", "area(6, 7)"),
        javascript=("function area(w, h) {\n  return w * h\n}", "area(6, 7)"),
        perl=("sub area {\n  my ($w, $h) = @_;\n  return $w * $h;\n}", "area(6, 7)"),
        ruby=("def area(w, h)\n  w * h\nend", "area(6, 7)"),
        text="42",
    ),
    row(
        "a closure and what it counts",
        python=(
            (
                "def counter():\n    n = 0\n    def up():\n        nonlocal n\n"
                "        n += 1\n        return n\n    return up"
            ),
            "up = counter()\nup()",
            "up()",
            "up()",
        ),
        javascript=(
            "const counter = () => { let n = 0; return () => ++n }",
            "let up = counter(); up()",
            "up()",
            "up()",
        ),
        perl=(
            "sub counter { my $n = 0; return sub { ++$n } }",
            "my $up = counter(); $up->()",
            "$up->()",
            "$up->()",
        ),
        ruby=("def counter; n = 0; -> { n += 1 }; end", "up = counter; up.()", "up.()", "up.()"),
        text="3",
    ),
    row(
        "a class and its instances",
        python=(
            (
                "class Account:\n    def __init__(self): self.total = 0\n"
                "    def add(self, n): self.total += n; return self"
            ),
            "mine = Account().add(40)",
            "mine.add(2).total",
        ),
        javascript=(
            (
                "class Account {\n  #total = 0\n  add(n) { this.#total += n; return this }\n"
                "  get total() { return this.#total }\n}"
            ),
            "const mine = new Account().add(40)",
            "mine.add(2).total",
        ),
        perl=(
            (
                "package Account {\n  sub new { bless {total => 0}, shift }\n"
                "  sub add { $_[0]{total} += $_[1]; $_[0] }\n}"
            ),
            "my $mine = Account->new->add(40);",
            "$mine->add(2)->{total}",
        ),
        ruby=(
            (
                "class Account\n  attr_reader :total\n  def initialize = @total = 0\n"
                "  def add(n) = (@total += n; self)\nend"
            ),
            "mine = Account.new.add(40)",
            "mine.add(2).total",
        ),
        text="42",
    ),
    row(
        "a sequence that is half used up",
        python=("squares = (n * n for n in range(1, 100))", "next(squares), next(squares)", "next(squares)"),
        javascript=(
            "const squares = (function* () { for (let n = 1; ; n++) yield n * n })()",
            "squares.next(), squares.next()",
            "squares.next().value",
        ),
        perl=(
            "my $squares = do { my $n = 0; sub { ++$n ** 2 } };",
            "$squares->(), $squares->()",
            "$squares->()",
        ),
        ruby=(
            "squares = (1..).lazy.map { it * it }.each_entry",
            "[squares.next, squares.next]",
            "squares.next",
        ),
        text="9",
    ),
    row(
        "an open file goes on where it was read to",
        python=("f = open('lines.txt')\nf.readline()", "f.readline().strip()"),
        javascript=(
            (
                "const fs = require('fs'); const fd = fs.openSync('lines.txt'); const b = Buffer.alloc(6)\n"
                "fs.readSync(fd, b)"
            ),
            "fs.readSync(fd, b); b.toString().trim()",
        ),
        perl=("open my $f, '<', 'lines.txt' or die $!; my $line = <$f>;", "chomp($line = <$f>); $line"),
        ruby=("f = File.open('lines.txt')\nf.gets", "f.gets.chomp"),
        files={"lines.txt": "first\nsecnd\nthird\n"},
        text_has=("secnd",),
    ),
    row(
        "a module from the workspace keeps its state",
        python=("import tally; tally.add(40)", "tally.add(2)"),
        javascript=("const tally = require('./tally.js'); tally.add(40)", "tally.add(2)"),
        perl=("use lib '.'; use Tally; Tally::add(40)", "Tally::add(2)"),
        ruby=("require './tally'; Tally.add(40)", "Tally.add(2)"),
        files={
            "tally.py": "total = 0\ndef add(n):\n    global total\n    total += n\n    return total\n",
            "tally.js": "let total = 0\nexports.add = n => total += n\n",
            "Tally.pm": "package Tally;\nmy $total = 0;\nsub add { $total += shift }\n1;\n",
            "tally.rb": "module Tally\n  @total = 0\n  def self.add(n) = @total += n\nend\n",
        },
        text="42",
    ),
    row(
        "what was done before an error",
        python=("done = 'kept'; raise ValueError('no')", "done"),
        javascript=("let done = 'kept'; throw new Error('no')", "done"),
        perl=("our $done = 'kept'; die 'no';", "$done"),
        ruby=("done = 'kept'; raise 'no'", "done"),
        may_fail_before=True,
        text_has=("kept",),
    ),
    row(
        "a file is there for the next execution",
        python=("open('a.txt', 'w').write('kept')", "open('a.txt').read()"),
        javascript=(
            "require('fs').writeFileSync('a.txt', 'kept')",
            "require('fs').readFileSync('a.txt', 'utf8')",
        ),
        perl=(
            "open my $o, '>', 'a.txt' or die; print $o 'kept'; close $o;",
            "open my $i, '<', 'a.txt' or die; <$i>",
        ),
        ruby=("File.write('a.txt', 'kept')", "File.read('a.txt')"),
        text_has=("kept",),
    ),
)

ENDINGS = (
    row(
        "ending with success is no error",
        python="print('bye'); import sys; sys.exit(0)",
        javascript="console.log('bye'); process.exit(0)",
        perl='print "bye\\n"; exit 0;',
        ruby="puts 'bye'; exit",
        stdout="bye\n",
        exit_status=0,
    ),
    row(
        "ending with a status is an error of that status",
        python="import sys; sys.exit(3)",
        javascript="process.exit(3)",
        perl="exit 3;",
        ruby="exit 3",
        error="SystemExit",
        exit_status=3,
        differs={
            "JAVASCRIPT": Differs("process.exit raises nothing that has a name", {"error": "ExitError"}),
            "PERL": Differs("exit raises nothing that has a name", {"error": "Exit"}),
        },
    ),
    row(
        "the context lives on after code ended itself",
        python=("n = 41\nimport sys; sys.exit(1)", "n + 1"),
        javascript=("let n = 41; process.exit(1)", "n + 1"),
        perl=("our $n = 41; exit 1;", "$n + 1"),
        ruby=("n = 41; exit 1", "n + 1"),
        may_fail_before=True,
        text="42",
    ),
    row(
        "what stands after the ending is not run",
        python="import sys\nsys.exit(0)\nprint('never')",
        javascript="process.exit(0)\nconsole.log('never')",
        perl='exit 0;\nprint "never";',
        ruby="exit\nputs 'never'",
        stdout="",
        exit_status=0,
    ),
)
