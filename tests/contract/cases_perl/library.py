"""The library: modules that are stood in for, and modules that people expect."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_perl.common import value

LIBRARY = (
    value(
        "POSIX: numbers",
        "use POSIX; [floor(-1.5), ceil(1.2), fmod(-7.5, 2), pow(2, 3), round(2.5), log10(1000), INT_MAX, DBL_MAX > 1e308 ? 1 : 0]",
        json=[-2, 2, -1.5, 8, 3, 3, 2147483647, 1],
    ),
    value(
        "POSIX: dates",
        "use POSIX qw(strftime mktime); [strftime('%Y-%m-%d %H:%M:%S %j %a %B %U %V %G', gmtime 1709210096), mktime(0, 0, 0, 1, 0, 70), strftime('%d %b', 0, 0, 0, 32, 0, 124)]",
        json=["2024-02-29 12:34:56 060 Thu February 08 09 2024", 0, "01 Feb"],
    ),
    value(
        "POSIX: conversions",
        "use POSIX qw(strtol strtod); [strtol('ff', 16), strtol('12abc', 10), strtod('1.5e3x')]",
        json=[255, 0, 12, 3, 1500, 1],
    ),
    value(
        "POSIX: tags",
        "use POSIX qw(:limits_h :float_h :errno_h :fcntl_h :sys_wait_h :signal_h); [LONG_MAX, DBL_DIG, SIGINT, EXIT => WEXITSTATUS(256)]",
        json=[9223372036854775807, 15, 2, "EXIT", 1],
    ),
    value(
        "POSIX: Perl's own functions are not replaced",
        "use POSIX; sprintf('%d', 5.7) . lc('X') . abs(-2)",
        text="5x2",
    ),
    value(
        "Storable: a deep copy",
        "use Storable 'dclone'; my $d = { a => [1, 2.5, 'é', undef], o => bless({ x => 1 }, 'A') }; $d->{self} = $d; $d->{b} = $d->{a}; my $c = dclone($d); $c->{a}[0] = 9; [$d->{a}[0], $c->{b}[0], $c->{self} == $c ? 1 : 0, ref $c->{o}, $c->{a}[2]]",
        json=[1, 9, 1, "A", "é"],
    ),
    value(
        "Storable: a file",
        "use Storable; store({ a => [1, 'x'] }, 'data'); 1",
        "retrieve('data')",
        json={"a": [1, "x"]},
    ),
    value("Storable: freeze and thaw", "use Storable qw(freeze thaw); thaw(freeze([1, [2]]))", json=[1, [2]]),
    value(
        "Storable: code is refused",
        "use Storable 'dclone'; dclone([sub { 1 }])",
        error="PerlError",
        message_has=("Can't store CODE items at <cell 1> line 1.",),
    ),
    value(
        "Encode",
        "use Encode; my $b = encode('UTF-8', 'é'); [length $b, decode('UTF-8', $b), length(encode('iso-8859-1', 'é')), decode('cp1252', \"\\x80\")]",
        json=[2, "é", 1, "€"],
    ),
    value(
        "List::Util",
        "use List::Util qw(sum max first reduce shuffle uniq any pairs); [sum(1 .. 4), max(3, 9), first { $_ > 2 } (1 .. 5)]",
        json=[10, 9, 3],
    ),
    value(
        "Scalar::Util",
        "use Scalar::Util qw(blessed reftype looks_like_number dualvar); [blessed(bless [], 'A'), reftype(bless [], 'A'), looks_like_number('1e3') ? 1 : 0]",
        json=["A", "ARRAY", 1],
    ),
    value(
        "JSON::PP",
        "use JSON::PP; JSON::PP->new->canonical->encode({ b => [1, 'x', undef], a => JSON::PP::true })",
        text='{"a":true,"b":[1,"x",null]}',
    ),
    value(
        "Data::Dumper",
        "use Data::Dumper; local $Data::Dumper::Sortkeys = local $Data::Dumper::Terse = local $Data::Dumper::Indent = 1; Dumper({ b => 1, a => [2] })",
        text="{\n  'a' => [\n    2\n  ],\n  'b' => 1\n}\n",
    ),
    value(
        "Time::HiRes",
        "use Time::HiRes qw(time sleep); my $t = time; sleep 0.01; time - $t >= 0.009 ? 'waited' : 'not'",
        text="waited",
    ),
    value(
        "Time::Local and Time::Piece",
        "use Time::Local; use Time::Piece; gmtime(timegm(0, 0, 0, 29, 1, 2024))->ymd",
        text="2024-02-29",
    ),
    value(
        "Math::BigInt and Math::BigFloat",
        "use Math::BigInt; use Math::BigFloat; Math::BigInt->new(30)->bfac . ' ' . Math::BigFloat->new(2)->bsqrt(20)",
        text="265252859812191058636308480000000 1.4142135623730950488",
    ),
    value("bigint", "use bigint; 2**100", text="1267650600228229401496703205376"),
    value(
        "Text::Wrap, Text::ParseWords, Getopt::Long",
        "use Text::Wrap; use Text::ParseWords; use Getopt::Long 'GetOptionsFromArray'; $Text::Wrap::columns = 10; GetOptionsFromArray(['--n', 5], 'n=i' => \\my $n); [wrap('', '', 'one two three'), shellwords('a \"b c\"'), $n]",
        json=["one two\nthree", "a", "b c", 5],
    ),
    value(
        "Digest and MIME",
        "use Digest::MD5 'md5_hex'; use Digest::SHA 'sha256_hex'; use MIME::Base64; [md5_hex('x'), substr(sha256_hex('x'), 0, 8), encode_base64('xyz', '')]",
        json=["9dd4e461268c8034f5c8564e155c67a6", "2d711642", "eHl6"],
    ),
    value(
        "Compress::Zlib",
        "use Compress::Zlib; my $z = Compress::Zlib::memGzip('x' x 1000); Compress::Zlib::memGunzip($z) eq 'x' x 1000 ? length($z) < 100 ? 'small' : 'large' : 'wrong'",
        text="small",
    ),
    value(
        "Unicode",
        "use Unicode::Normalize; [length NFD('é'), uc 'straße', 'É' =~ /\\w/ ? 1 : 0, lc 'ÀÉ', \"\\x{3b1}\" =~ /\\p{Greek}/ ? 1 : 0]",
        json=[2, "STRASSE", 1, "àé", 1],
    ),
    value(
        "overload, constant, parent",
        "package V { use overload '+' => sub { V->new($_[0]{n} + $_[1]{n}) }; use constant ZERO => 0; sub new { bless { n => $_[1] }, $_[0] } } package W { use parent -norequire, 'V' } (W->new(1) + V->new(2))->{n} + V::ZERO",
        text="3",
    ),
    value(
        "Test::More",
        "use Test::More; ok(1, 'fine'); is_deeply([1, { a => 2 }], [1, { a => 2 }], 'same'); done_testing; undef",
        stdout="ok 1 - fine\nok 2 - same\n1..2\n",
        stderr="",
    ),
    value(
        "Test::More tells what differs",
        "use Test::More; is(1, 2, 'sum'); undef",
        stdout="not ok 1 - sum\n",
        stderr_has=("Failed test 'sum'", "at <cell 1> line 1.", "got: '1'", "expected: '2'"),
    ),
    value(
        "mro", "use mro; package A { } package B { our @ISA = 'A' } mro::get_linear_isa('B')", json=["B", "A"]
    ),
    value(
        "IO::File and IO::Handle",
        "use IO::File; my $f = IO::File->new('f', 'w'); $f->print(\"x\\n\"); $f->close; IO::File->new('f')->getline",
        text="x\n",
    ),
    value(
        "Tie::File",
        "use Tie::File; open my $o, '>', 'f'; print $o \"a\\nb\\n\"; close $o; tie my @l, 'Tie::File', 'f'; $l[1] = 'c'; untie @l; open my $i, '<', 'f'; join '', <$i>",
        text="a\nc\n",
    ),
    value("FindBin", "use FindBin; $FindBin::Bin", text="/workspace"),
    value(
        "autodie",
        "use autodie; open my $f, '<', 'nope';",
        error="autodie::exception",
        message_has=("nope",),
        line=1,
    ),
)
