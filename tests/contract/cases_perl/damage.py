"""Code that takes apart what the harness might need."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_perl.common import VALUE, value

KEEP = "my $kept = 9; "
VANDALISM = (
    value("the harness's names are replaced", "*Torpor::serve = *Torpor::keep = *Torpor::started = *Torpor::thrown = sub { die 'mine' }; 1", "my $after = 5; die 'x'", "$after", text="5", may_fail_before=True),
    value("the harness's names are removed", "delete $Torpor::{$_} for keys %Torpor::; undef %Torpor::; 1", "my $after = 5;", "{ a => [$after] }", json={"a": [5]}),
    value("everything in main is removed", KEEP + "%main:: = (); 1", "print 'heard'; $kept", text="9", stdout="heard"),
    value("main itself is undefined", KEEP + "undef %main::; 1", "print 'heard'; $kept", text="9", stdout="heard"),
    value("every name in main is undefined", KEEP + "for (keys %main::) { undef *{\"main::$_\"} unless /::/ } 1", "warn \"heard\\n\"; [$kept, 'a1' =~ /(\\d)/, $1]", json=[9, "1", "1"], stderr="heard\n"),
    value("an error after that", KEEP + "for (keys %main::) { undef *{\"main::$_\"} unless /::/ } 1", "\ndie 'x'", error="PerlError", message="x at <cell 2> line 2.", line=2),
    value("Perl's own tables are replaced", KEEP + "*SIG = {}; *ENV = []; *INC = {}; @INC = (); 1", "my $more = 1; [$kept + $more, exists $ENV{NO} ? 1 : 0]", json=[10, 0]),
    value("the signal table is emptied", "%SIG = (); undef %SIG; 1", "die 'x'", error="PerlError", traceback=("x at <cell 2> line 1.",)),
    value("CORE::GLOBAL is taken over", "BEGIN { *CORE::GLOBAL::die = *CORE::GLOBAL::open = *CORE::GLOBAL::caller = *CORE::GLOBAL::sysread = sub { 'mine' } } 1", "{ a => 1 }", json={"a": 1}),
    value("a user's override is kept", "BEGIN { *CORE::GLOBAL::time = sub { 5 } } 1", "time", text="5"),
    value("UNIVERSAL is taken over", "no warnings; *UNIVERSAL::can = *UNIVERSAL::isa = *UNIVERSAL::DESTROY = sub { die 'can' }; 1", "[bless {}, 'A']", text="[bless({}, 'A')]"),
    value("modules of the harness's kind are taken apart", "no warnings; for my $p (qw(Scalar::Util Sub::Util Cwd builtin Carp Errno)) { *{\"${p}::$_\"} = sub { die 'mine' } for grep { defined &{\"${p}::$_\"} } keys %{\"${p}::\"} } 1", "{ a => \\&CORE::lc }", formats=VALUE),
    value("an object that overloads everything", "package Evil { use overload map { $_ => sub { die \"no $_\" } } '\"\"', 'bool', '0+', '@{}', '%{}', '&{}', '==', 'eq', '<=>', 'cmp', 'ne', '-X', 'qr' } bless {}, 'Evil'", text="bless({}, 'Evil')"),
    value("an object of that kind inside", "package Evil { use overload map { $_ => sub { die \"no $_\" } } '\"\"', 'bool', '@{}', '%{}', '==', 'eq' } [bless([1], 'Evil')]", text="[bless([1], 'Evil')]", formats=VALUE),
    value("a text that ends the code", "package E { use overload '\"\"' => sub { exit 4 } } bless {}, 'E'", text="bless({}, 'E')"),
    value("a tied container that dies", "package T { sub TIEHASH { bless {} } sub FIRSTKEY { die 'no keys' } } tie my %t, 'T'; \\%t", text="<a value that cannot be told>", formats=VALUE),
    value("the value is undefined while it is shown", "package T { our $all = { n => [1] }; sub TIESCALAR { bless [] } sub FETCH { undef %$all; 5 } } tie $T::all->{t}, 'T'; $T::all", "1", text="1"),
    value("$@ is tied", "package T { sub TIESCALAR { bless [] } sub FETCH { 'odd' } sub STORE { } } tie $@, 'T'; 1", "5", text="5", may_fail_before=True),
    value("$_ is tied", "package T { sub TIESCALAR { bless [] } sub FETCH { die 'read' } sub STORE { die 'written' } } tie $_, 'T'; 1", "[5]", json=[5]),
    value("separators are set to nonsense", "$/ = \\3; $, = 'x'; $\\ = 'y'; $; = 'z'; $\" = 'w'; undef", "{ a => [1, 2] }", json={"a": [1, 2]}),
    value("a handler of die that dies", "$SIG{__DIE__} = sub { die 'again' }; 1", "[1]", json=[1]),
    value("a handler of warnings that dies", "$SIG{__WARN__} = sub { die 'strict' }; 1", "my $fine = 1; [$fine]", json=[1]),
    value("the hook in a string", "my $s = 'x; my $y'; \"my \\$z; \" . $s", text="my $z; x; my $y"),
    value("a DESTROY at the end of the code", "package D { sub DESTROY { $main::destroyed = 1; die 'in it' } } bless [], 'D'; 1", "$main::destroyed", text="1"),
    value("the device is written by the user", "open my $d, '>>', '/dev/torpor'; print $d \"nonsense\\n\"; close $d; 1", "5", text="5", may_fail_before=True),
    value("all descriptors are closed", "use POSIX (); open(my $h, '<&=', $_) && close $h for 0 .. 40; 1", "print 'x'; 5", text="5", stdout="x", may_fail_before=True),
    value("a deep structure is freed", "my $d = []; $d = [$d] for 1 .. 100_000; undef $d; 1", "5", text="5", may_fail_before=True),
    value("goto out of the code", "goto TORPOR_EXIT; 5", "6", text="6", may_fail_before=True),
    value("a label of the harness's name", "TORPOR_EXIT: for (1 .. 2) { next TORPOR_EXIT } 5", text="5"),
)
