"""Files, modules, environment variables, and what a sandbox does not have."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_perl.common import value
from tests.contract.expectations import Case, Expect, Step

MODULE = "package Helper; sub n { 9 } 1;\n"
FILES = (
    Case("a module in /workspace", ("use Helper; Helper::n()",), Expect(text="9"), {"Helper.pm": MODULE}),
    value(
        "a module by its folder",
        "mkdir 'lib'; open my $f, '>', 'lib/Helper.pm'; print $f 'package Helper; sub n { 9 } 1'; close $f;",
        "use lib 'lib'; use Helper; Helper::n()",
        text="9",
    ),
    Case(
        "a module of /workspace from elsewhere",
        ("mkdir 'd'; chdir 'd'; require Helper; Helper::n()",),
        Expect(text="9"),
        {"Helper.pm": MODULE},
    ),
    Case("a script by its path", ("my $v = do './s.pl'; $v",), Expect(text="7"), {"s.pl": "3 + 4;\n"}),
    Case(
        "an error in a module",
        ("use Bad;\nBad::f()",),
        Expect(
            error="PerlError",
            line=2,
            message="in module at /workspace/Bad.pm line 2.",
            traceback_has=("Bad::f called at <cell 1> line 2",),
        ),
        {"Bad.pm": "package Bad;\nsub f { die 'in module' }\n1;\n"},
    ),
    Case(
        "a module that does not compile",
        ("use Broken;",),
        Expect(error="CompileError", line=1, message_has=("syntax error at /workspace/Broken.pm line 1",)),
        {"Broken.pm": "my $x = = 1;"},
    ),
    Case(
        "files cannot take the library's place",
        (
            "require POSIX; require Symbol; require Benchmark; [map { $_->can('stolen') ? 1 : 0 } 'POSIX', 'Symbol', 'Benchmark']",
        ),
        Expect(json=[0, 0, 0]),
        {f"{m}.pm": f"package {m}; sub stolen {{ 1 }} 1;" for m in ("POSIX", "Symbol", "Benchmark")},
    ),
    value(
        "a module written a moment ago",
        "open my $f, '>', 'Fresh.pm'; print $f \"package Fresh; our \\$v = 1; 1;\"; close $f; require Fresh; $Fresh::v",
        text="1",
    ),
    value(
        "files are written and read",
        "open my $o, '>', 'f.txt' or die; print $o \"a\\nb\\n\"; close $o; open my $i, '<', 'f.txt'; my @l = <$i>; chomp @l; \"@l\"",
        text="a b",
    ),
    value(
        "layers of files",
        "open my $o, '>:encoding(UTF-8)', 'u' or die $!; print $o 'é'; close $o; my $size = -s 'u'; open my $i, '<:encoding(UTF-8)', 'u'; [$size, length <$i>]",
        json=[2, 1],
    ),
    value(
        "bytes of files",
        "open my $o, '>', 'b'; binmode $o; print $o pack 'C*', 0 .. 255; close $o; -s 'b'",
        text="256",
    ),
    value(
        "folders",
        "mkdir 'd' or die; mkdir 'd/e'; open my $o, '>', 'd/f'; opendir my $d, 'd'; [sort grep { !/^\\./ } readdir $d]",
        json=["e", "f"],
    ),
    value(
        "tests of files",
        "open my $o, '>', 'f'; print $o 'abc'; close $o; mkdir 'd'; [-e 'f' ? 1 : 0, -f 'f' ? 1 : 0, -d 'd' ? 1 : 0, -s 'f', -e 'no' ? 1 : 0, -d '/workspace' ? 1 : 0]",
        json=[1, 1, 1, 3, 0, 1],
    ),
    value(
        "patterns of names",
        "for ('a.txt', 'b.txt', 'c.log') { open my $o, '>', $_ } [glob '*.txt']",
        json=["a.txt", "b.txt"],
    ),
    value(
        "rename and unlink",
        "open my $o, '>', 'a'; close $o; rename 'a', 'b'; my $there = -e 'b'; unlink 'b'; [$there ? 1 : 0, -e 'b' ? 1 : 0]",
        json=[1, 0],
    ),
    value(
        "symbolic links",
        "open my $o, '>', 'a'; print $o 'x'; close $o; symlink 'a', 'l'; [readlink 'l', -l 'l' ? 1 : 0, -s 'l']",
        json=["a", 1, 1],
    ),
    value(
        "temporary files",
        "use File::Temp qw(tempfile tempdir); my ($f, $name) = tempfile(UNLINK => 1); print $f 'x'; close $f; my $d = tempdir(CLEANUP => 1); [-s $name, -d $d ? 1 : 0]",
        json=[1, 1],
    ),
    value(
        "find, copy and paths",
        "use File::Find; use File::Copy; use File::Path 'make_path'; use File::Basename; make_path('a/b'); open my $o, '>', 'a/b/f'; close $o; copy('a/b/f', 'a/g'); my @n; find(sub { push @n, $File::Find::name if -f }, 'a'); [sort map { basename $_ } @n]",
        json=["f", "g"],
    ),
    value(
        "data after the code", "my @l = <DATA>; chomp @l; [@l]\n__DATA__\none é\ntwo\n", json=["one é", "two"]
    ),
    value("data after the end", "print while <DATA>; undef\n__END__\nlast words\n", stdout="last words\n"),
    value("data is each cell's own", "1\n__DATA__\nold\n", "<DATA>\n__DATA__\nnew\n", text="new\n"),
    value(
        "a changed folder is kept",
        "mkdir 'd'; chdir 'd'; 1",
        "use Cwd; getcwd()",
        text="/workspace/d",
        cwd="/workspace/d",
    ),
    value(
        "a missing file says why",
        "open my $f, '<', 'nope' or die \"nope: $!\"",
        error="PerlError",
        message="nope: No such file or directory at <cell 1> line 1.",
    ),
    value(
        "there is nothing but the workspace",
        "[map { -e $_ ? 1 : 0 } '/etc/passwd', '/proc', '/tmp', '/bin/ls']",
        json=[0, 0, 0, 0],
    ),
    value(
        "many open files and a new module",
        'my @open = map { open my $f, \'>\', "f$_" or die "$_: $!"; $f } 1 .. 60; require Text::Abbrev; require Tie::RefHash; scalar @open',
        text="60",
    ),
    value(
        "a module that reads a file while it is loaded",
        "open my $o, '>', 'Reads.pm'; print $o 'package Reads; use Text::Balanced; BEGIN { open my $f, q(<), q(Reads.pm); our $first = <$f>; } use Text::Tabs; 1;'; close $o; require Reads; substr $Reads::first, 0, 13",
        text="package Reads",
    ),
)

ENVIRONMENT = (
    value("a variable of the call", Step("$ENV{GREETING}", env={"GREETING": "grüß 漢"}), text="grüß 漢"),
    value(
        "it is gone in the next execution",
        Step("$ENV{A} = 'b'; 1", env={"E": "f"}),
        "[sort keys %ENV]",
        json=[],
    ),
    value("a local change", Step("{ local $ENV{E} = 'x'; } $ENV{E}", env={"E": "f"}), text="f"),
)

MACHINE = (
    value(
        "system says why it fails",
        "my $r = system('ls'); \"$r $?\"",
        text="-1 -1",
        stderr="Can't run a command: there are no other processes in the sandbox at <cell 1> line 1.\n",
    ),
    value(
        "system sets the reason",
        "system('ls') == 0 or die \"failed: $!\"",
        error="PerlError",
        message="failed: Function not implemented at <cell 1> line 1.",
    ),
    value(
        "backticks say why they fail",
        "my $o = `ls`; defined $o ? 'some' : 'none'",
        text="none",
        stderr_has=("Can't run a command",),
    ),
    value(
        "exec says why it fails",
        "exec('ls') or 'still here'",
        text="still here",
        stderr_has=("Can't run a command",),
    ),
    value(
        "fork says why it fails",
        'defined(fork()) or die "no fork: $!\\n"',
        error="PerlError",
        message="no fork: Function not implemented",
    ),
    value("kill says why it fails", "kill 9, $$", text="0", stderr_has=("Can't send a signal",)),
    value(
        "a pipe to a command says why it fails",
        "open(my $p, '-|', 'ls') or die \"no pipe: $!\\n\"",
        error="PerlError",
        message="no pipe: Function not implemented",
    ),
    value(
        "a pipe says why it fails",
        "pipe(my $r, my $w)",
        error="PerlError",
        message_has=("The pipe function is unimplemented",),
    ),
    value(
        "alarm says why it fails",
        "alarm 5",
        error="PerlError",
        message_has=("The alarm function is unimplemented",),
    ),
    value(
        "a socket says why it fails",
        "socket(my $s, 2, 1, 6)",
        error="PerlError",
        message_has=('Unsupported socket function "socket"',),
    ),
    value(
        "threads are not there",
        "use threads;",
        error="CompileError",
        message_has=("Can't locate threads.pm",),
    ),
    value("waiting for a child", "wait", text="-1"),
    value("sleep", "my $t = time; sleep 0; select undef, undef, undef, 0.01; 5", text="5"),
    value("local time is UTC", "join ' ', (localtime 0)[5, 4, 3, 2]", text="70 0 1 0"),
    value(
        "a cell has no caller",
        "sub main { defined caller ? 'called' : 'top' } main() . (defined caller() ? 'called' : 'top')",
        text="calledtop",
    ),
    value(
        "caller tells of the user's frames",
        'sub f { my @c = caller(0); "@c[0 .. 3]" } f()',
        text="main <cell 1> 1 main::f",
    ),
    value(
        "the name of the file", "__FILE__ . ' ' . __LINE__", "__FILE__ . ' ' . __LINE__", text="<cell 2> 1"
    ),
    value("arguments are empty", "scalar @ARGV", text="0"),
    value(
        "a seed repeats its numbers",
        "srand 42; my $a1 = rand; srand 42; $a1 == rand() ? 'same' : 'other'",
        text="same",
    ),
    value(
        "numbers have 64 bits",
        'use Config; "$Config{ivsize} $Config{ptrsize} $Config{archname}"',
        text="8 4 wasm32-wasi",
    ),
)
