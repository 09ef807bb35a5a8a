"""What lives on from one execution to the next, and how code ends itself."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_perl.common import value

STATE = (
    value(
        "my variables live on",
        "my $x = 20; my @l = (1); my %h = (k => 1);",
        "$x += 1; push @l, 2;",
        "[$x * 2, @l, $h{k}]",
        json=[42, 1, 2, 1],
    ),
    value("our variables live on", "our $x = 20;", "$x += 1", "$main::x", text="21"),
    value("variables without a declaration live on", "$x = 5;", "$x", text="5"),
    value("subroutines live on", "sub f { my $n = shift; $n * 2 }", "f(21)", text="42"),
    value(
        "a subroutine shares the variables of its cell",
        "my $n = 0; sub up { ++$n }",
        "up(); up();",
        "$n",
        text="2",
    ),
    value("a subroutine sees later changes", "my $n = 1; sub show { $n }", "$n = 5;", "show()", text="5"),
    value(
        "closures live on",
        "sub counter { my $n = 0; sub { ++$n } } my $up = counter(); $up->();",
        "$up->()",
        text="2",
    ),
    value("state variables live on", "sub tick { state $n = 10; $n++ } tick();", "tick()", text="11"),
    value("a state variable of the top lives on", "state $n = 5;", "++$n", text="6"),
    value("lexical subroutines live on", "my sub twice { 2 * shift } 1;", "twice(4)", text="8"),
    value(
        "classes live on",
        "package Cup { sub new { bless { n => $_[1] }, $_[0] } sub n { $_[0]{n} } } my $c = Cup->new(3);",
        "$c->n",
        text="3",
    ),
    value(
        "classes of the feature class live on",
        "use v5.42; use experimental 'class'; class Point { field $x :param; method x { $x } method move($by) { $x += $by } } my $p = Point->new(x => 4);",
        "$p->move(2);",
        "$p->x",
        text="6",
    ),
    value(
        "inheritance lives on", "package A { sub hi { 'A' } } package B { our @ISA = 'A' }", "B->hi", text="A"
    ),
    value(
        "an open file lives on",
        "open my $f, '+>', 'f' or die; print $f \"one\\ntwo\\n\"; seek $f, 0, 0; <$f>;",
        "<$f>",
        text="two\n",
    ),
    value(
        "a file that was removed lives on",
        "open my $f, '+>', 'f' or die; print $f \"one\\n\"; seek $f, 0, 0; unlink 'f';",
        "<$f>",
        text="one\n",
    ),
    value(
        "a directory that is read lives on",
        "mkdir 'd'; for (1 .. 3) { open my $o, '>', \"d/$_\" } opendir my $d, 'd'; readdir $d;",
        "my @rest = readdir $d; @rest + 0",
        text="4",
    ),
    value(
        "an iteration lives on",
        "my %h = (a => 1); my ($k) = each %h;",
        "my @next = each %h; scalar @next",
        text="0",
    ),
    value("a module lives on", "use List::Util qw(sum max);", "sum(1, 2) + max(3, 4)", text="7"),
    value(
        "a failed execution keeps what it did before",
        "my $y = 1; $z = 2; die 'x'",
        "$y + $z",
        text="3",
        may_fail_before=True,
    ),
    value(
        "a variable of a failed declaration is there",
        "my $y = die 'x';",
        "defined $y ? 1 : 0",
        text="0",
        may_fail_before=True,
    ),
    value(
        "weak references live on",
        "use Scalar::Util 'weaken'; my $s = [1]; my $w = $s; weaken $w;",
        "undef $s; defined $w ? 1 : 0",
        text="0",
    ),
    value(
        "a destructor runs in its time",
        "package D { sub DESTROY { print 'gone' } } my $d = bless [], 'D';",
        "undef $d;",
        stdout="gone",
    ),
    value(
        "a tied variable lives on",
        "package T { sub TIESCALAR { bless [0] } sub FETCH { ++$_[0][0] } } tie my $t, 'T'; my $x = $t;",
        "$t + 0",
        text="2",
    ),
    value("the position of a match lives on", "my $s = 'aXbX'; $s =~ /X/g; undef", "pos $s", text="2"),
    value("local ends with its cell", "our $g = 1; local $g = 2;", "$g", text="1"),
    value(
        "formats live on",
        "our $n = 7;\nformat OUT =\n@>>>\n$n\n.\n",
        "$~ = 'OUT'; write; undef",
        stdout="   7\n",
    ),
    value("what $_ holds lives on", "$_ = 'kept'; undef", "$_", text="kept"),
    value("separators live on", "$, = '-'; $\\ = '!'; undef", "print 1, 2; undef", stdout="1-2!"),
    value("the list separator lives on", "$\" = '+'; undef", 'my @l = (1, 2); "@l"', text="1+2"),
)

SCOPES = (
    value("a variable may be declared again", "my $x = 1;", "my $x = 'new';", "$x", text="new"),
    value(
        "a closure keeps the variable of its time",
        "my $x = 1; my $get = sub { $x };",
        "my $x = 2;",
        "$get->() . $x",
        text="12",
    ),
    value(
        "strict lives on",
        "use strict;",
        "$undeclared = 1",
        error="CompileError",
        message_has=('Global symbol "$undeclared"',),
    ),
    value(
        "strict allows what was declared",
        "use strict; my $declared = 1; our $ours = 2;",
        "$declared + $ours",
        text="3",
    ),
    value("no strict by default", "$anything = 1; $anything", text="1"),
    value(
        "warnings live on",
        "use warnings;",
        'my $u; "a$u"',
        text="a",
        stderr_has=("uninitialized value $u", "at <cell 2> line 1."),
    ),
    value("no warnings by default", 'my $u; "a$u"', text="a", stderr=""),
    value(
        "a version brings strict and warnings",
        "use v5.42;",
        "my $u; eval '$no = 1'; ($@ ? 'strict' : 'lax') . $u",
        text="strict",
        stderr_has=("uninitialized",),
    ),
    value("features live on", "use v5.42;", "sub add($x, $y = 2) { $x + $y } add(3)", text="5"),
    value(
        "try lives on",
        "use feature 'try'; no warnings;",
        'my $r; try { die "no\\n" } catch ($e) { $r = "caught $e" } $r',
        text="caught no\n",
    ),
    value("say is there from the start", "say 'hi'", stdout="hi\n"),
    value(
        "the package lives on",
        "package Shop; our $open = 1; sub name { __PACKAGE__ }",
        "name() . $open",
        text="Shop1",
    ),
    value(
        "a package block ends", "package Shop { our $open = 1 }", "__PACKAGE__ . $Shop::open", text="main1"
    ),
    value("integer arithmetic lives on", "use integer;", "7 / 2", text="3"),
    value(
        "variables of blocks end with them",
        "{ my $inner = 1; } 1",
        "use strict; $inner",
        error="CompileError",
    ),
    value("a lexical warning category", "use warnings; no warnings 'once';", "$main::only = 1;", stderr=""),
    value("names in other scripts", "my $été = 5;", "$été + 1", text="6"),
    value(
        "many executions nest nothing",
        *(f"my $v{n} = {n}; our $o{n} = {n}; my sub s{n} {{ {n} }} 1" for n in range(40)),
        "use strict; $v0 + $v39 + $o0 + $o39 + s0() + s39()",
        text="117",
    ),
    value(
        "pragmas survive many executions",
        "package Deep; use strict; use warnings; use feature 'signatures';",
        *(f"my $w{n} = {n};" for n in range(20)),
        "my $f = sub ($x) { __PACKAGE__ . $x }; my $u; $f->('!') . ($u // 'u') . eval('$no') . ($@ ? 'strict' : '')",
        text="Deep!ustrict",
    ),
)

ENDINGS = (
    value("exit with success", "print 'bye'; exit", stdout="bye", exit_status=0, text=None),
    value("exit with a status", "exit 3", error="Exit", message="exit 3", exit_status=3),
    value("a status has one byte", "exit 258", error="Exit", exit_status=2),
    value(
        "exit from inside",
        "sub f { for (1 .. 3) { eval { exit 4 } } } f(); print 'never'",
        error="Exit",
        exit_status=4,
        stdout="",
    ),
    value("exit cannot be caught", "eval { exit 4 }; print 'never'", error="Exit", exit_status=4, stdout=""),
    value(
        "exit inside of a sort",
        "my @s = sort { exit 5 } 1, 2; print 'never'",
        error="Exit",
        exit_status=5,
        stdout="",
    ),
    value("exit in a string", "eval 'exit 6'; print 'never'", error="Exit", exit_status=6, stdout=""),
    value("the context lives on after exit", "my $n = 41; exit 1", "$n + 1", text="42", may_fail_before=True),
    value(
        "what exit interrupts is unwound",
        "our $g = 1; sub f { local $g = 2; exit 1 } f()",
        "$g",
        text="1",
        may_fail_before=True,
    ),
    value(
        "what a variable of the same name hides is not kept for long",
        *["my @numbers = map { $_ * 1.5 } 1 .. 200_000; scalar @numbers"] * 8,
        text="200000",
    ),
    value("POSIX has an exit too", "use POSIX (); POSIX::_exit(7)", error="Exit", exit_status=7),
    value(
        "END blocks wait for an end that does not come", "END { print 'end' } exit", stdout="", exit_status=0
    ),
    value(
        "CORE::exit ends the interpreter",
        "my $n = 1;",
        "CORE::exit(3)",
        error="EngineError",
        message_has=("status 3", "stands as before"),
        exit_status=3,
    ),
    value(
        "after it the context is as before",
        "my $n = 1;",
        "$n = 2; CORE::exit(3)",
        "$n",
        text="1",
        may_fail_before=True,
    ),
)
