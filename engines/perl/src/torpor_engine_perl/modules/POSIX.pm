# POSIX, as far as a sandbox has it: numbers, limits, dates, conversions, files and error numbers. It stands
# in for the compiled module of that name, which this build of Perl lacks. Knows nothing of the harness.
package POSIX;

use strict;
use warnings;
use Carp ();
use Cwd ();
use Errno ();
use Exporter ();
use Fcntl ();
use Time::HiRes ();

our $VERSION = '2.23';
our @ISA = ('Exporter');

# Numbers -----------------------------------------------------------------------------------------

use constant {
    CHAR_BIT => 8, CHAR_MAX => 127, CHAR_MIN => -128, SCHAR_MAX => 127, SCHAR_MIN => -128, UCHAR_MAX => 255,
    SHRT_MAX => 32_767, SHRT_MIN => -32_768, USHRT_MAX => 65_535,
    INT_MAX => 2_147_483_647, INT_MIN => -2_147_483_648, UINT_MAX => 4_294_967_295,
    # As on the machines that people know, where `long` has as many bits as Perl's integers.
    LONG_MAX => 9_223_372_036_854_775_807, LONG_MIN => -9_223_372_036_854_775_807 - 1,
    ULONG_MAX => 18_446_744_073_709_551_615, SSIZE_MAX => 2_147_483_647,
    PATH_MAX => 4096, NAME_MAX => 255, BUFSIZ => 1024, EOF => -1, RAND_MAX => 2_147_483_647,
    CLOCKS_PER_SEC => 1_000_000, OPEN_MAX => 1024, ARG_MAX => 131_072, PIPE_BUF => 4096,
};
use constant {
    DBL_DIG => 15, DBL_EPSILON => 2**-52, DBL_MANT_DIG => 53, DBL_MAX => 1.7976931348623157e308,
    DBL_MAX_10_EXP => 308, DBL_MAX_EXP => 1024, DBL_MIN => 2.2250738585072014e-308, DBL_MIN_10_EXP => -307,
    DBL_MIN_EXP => -1021, FLT_DIG => 6, FLT_EPSILON => 2**-23, FLT_MANT_DIG => 24,
    FLT_MAX => 3.40282346638528859812e38, FLT_MAX_10_EXP => 38, FLT_MAX_EXP => 128,
    FLT_MIN => 1.17549435082228750797e-38, FLT_MIN_10_EXP => -37, FLT_MIN_EXP => -125, FLT_RADIX => 2,
    LDBL_DIG => 15, LDBL_EPSILON => 2**-52, LDBL_MAX => 1.7976931348623157e308,
    LDBL_MIN => 2.2250738585072014e-308,
};
use constant {
    M_PI => 3.14159265358979323846, M_PI_2 => 1.57079632679489661923, M_PI_4 => 0.785398163397448309616,
    M_1_PI => 0.318309886183790671538, M_2_PI => 0.636619772367581343076, M_2_SQRTPI => 1.12837916709551257390,
    M_E => 2.7182818284590452354, M_LN2 => 0.693147180559945309417, M_LN10 => 2.30258509299404568402,
    M_LOG2E => 1.4426950408889634074, M_LOG10E => 0.434294481903251827651, M_SQRT2 => 1.41421356237309504880,
    M_SQRT1_2 => 0.707106781186547524401, HUGE_VAL => 9**9**9, INFINITY => 9**9**9, NAN => -sin 9**9**9,
    FE_TONEAREST => 0,
};

sub floor ($) { my $whole = int $_[0]; $whole > $_[0] ? $whole - 1 : $whole }
sub ceil ($) { my $whole = int $_[0]; $whole < $_[0] ? $whole + 1 : $whole }
sub trunc ($) { int $_[0] }
sub round ($) { $_[0] < 0 ? -floor(-$_[0] + 0.5) : floor($_[0] + 0.5) }
sub lround ($) { round($_[0]) }
sub pow { $_[0]**$_[1] }
sub tan ($) { sin($_[0]) / cos($_[0]) }
sub asin ($) { abs $_[0] > 1 ? NAN : atan2($_[0], sqrt(1 - $_[0]**2)) }
sub acos ($) { abs $_[0] > 1 ? NAN : atan2(sqrt(1 - $_[0]**2), $_[0]) }
sub atan ($) { atan2($_[0], 1) }
sub sinh ($) { (exp($_[0]) - exp(-$_[0])) / 2 }
sub cosh ($) { (exp($_[0]) + exp(-$_[0])) / 2 }
sub tanh ($) { my $x = $_[0]; abs $x > 20 ? $x <=> 0 : (exp(2 * $x) - 1) / (exp(2 * $x) + 1) }
sub asinh ($) { my $x = abs $_[0]; my $y = log($x + sqrt($x * $x + 1)); $_[0] < 0 ? -$y : $y }
sub acosh ($) { log($_[0] + sqrt($_[0]**2 - 1)) }
sub atanh ($) { log((1 + $_[0]) / (1 - $_[0])) / 2 }
sub log10 ($) { my $y = log($_[0]) / M_LN10; my $near = round($y); 10**$near == $_[0] ? $near : $y }
sub log2 ($) { my $y = log($_[0]) / M_LN2; my $near = round($y); 2**$near == $_[0] ? $near : $y }
sub log1p ($) { my $x = $_[0]; abs $x < 1e-5 ? $x - $x * $x / 2 + $x**3 / 3 : log(1 + $x) }
sub expm1 ($) { my $x = $_[0]; abs $x < 1e-5 ? $x + $x * $x / 2 + $x**3 / 6 : exp($x) - 1 }
sub exp2 ($) { 2**$_[0] }
sub cbrt ($) {
    my $y = abs($_[0])**(1 / 3);
    my $near = round($y);
    $y = $near if $near**3 == abs $_[0];
    return $_[0] < 0 ? -$y : $y;
}
sub hypot { sqrt($_[0]**2 + $_[1]**2) }
sub fmin { isnan($_[0]) || $_[1] < $_[0] ? $_[1] : $_[0] }
sub fmax { isnan($_[0]) || $_[1] > $_[0] ? $_[1] : $_[0] }
sub fdim { $_[0] > $_[1] ? $_[0] - $_[1] : 0 }
sub fma { $_[0] * $_[1] + $_[2] }
sub isnan ($) { $_[0] != $_[0] }
sub isinf ($) { abs $_[0] == INFINITY }
sub isfinite ($) { abs $_[0] < INFINITY }
sub signbit ($) { substr(sprintf('%g', $_[0]), 0, 1) eq '-' ? 1 : 0 }
sub copysign { my $x = abs $_[0]; signbit($_[1]) ? -$x : $x }
sub labs ($) { abs $_[0] }
sub remainder { my ($x, $y) = @_; $x - $y * rint($x / $y) }
sub ldexp { $_[0] * 2**$_[1] }

# To the even neighbour from the middle.
sub rint ($) {
    my ($x) = @_;
    my $low = floor($x);
    my $rest = $x - $low;
    return $rest < 0.5 ? $low : $rest > 0.5 ? $low + 1 : $low % 2 ? $low + 1 : $low;
}
*nearbyint = *lrint = \&rint;

sub fmod {
    my ($x, $y) = @_;
    return NAN if $y == 0 || isinf($x) || isnan($x) || isnan($y);
    return $x if isinf($y);
    my ($left, $step) = (abs $x, abs $y);
    # Exact, as each subtraction is: no quotient is rounded.
    while ($left >= $step) {
        my $part = $step * 2**floor(log2($left / $step));
        $part /= 2 while $part > $left;
        $left -= $part;
    }
    return $x < 0 ? -$left : $left;
}

sub frexp {
    my ($x) = @_;
    return ($x, 0) if $x == 0 || !isfinite($x);
    my $exponent = floor(log(abs $x) / M_LN2) + 1;
    my $fraction = $x / 2**$exponent;
    ($fraction, $exponent) = ($fraction / 2, $exponent + 1) if abs $fraction >= 1;
    ($fraction, $exponent) = ($fraction * 2, $exponent - 1) if abs $fraction < 0.5;
    return ($fraction, $exponent);
}

sub modf { my $whole = int $_[0]; ($_[0] - $whole, $whole) }

# Conversions -------------------------------------------------------------------------------------

# In list context also how many characters were not understood.
sub _converted {
    my ($value, $text, $end) = @_;
    return wantarray ? ($value, length($text) - $end) : $value;
}

sub strtod {
    my ($text) = @_;
    return _converted($1 + 0, $text, $+[0])
        if $text =~ /\A\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/;
    return _converted(($1 eq '-' ? -1 : 1) * (lc $2 eq 'nan' ? NAN : INFINITY), $text, $+[0])
        if $text =~ /\A\s*([+-]?)(inf(?:inity)?|nan)/i;
    return _converted(0, $text, 0);
}
*strtold = \&strtod;

sub strtol {
    my ($text, $base) = @_;
    $base //= 10;
    $text =~ /\A\s*([+-]?)/;
    my ($sign, $at) = ($1, $+[0]);
    if (($base == 0 || $base == 16) && substr($text, $at) =~ /\A0[xX][0-9a-fA-F]/) {
        ($base, $at) = (16, $at + 2);
    }
    elsif ($base == 0) { $base = substr($text, $at, 1) eq '0' ? 8 : 10 }
    my ($value, $start) = (0, $at);
    while ($at < length $text) {
        my $char = lc substr $text, $at, 1;
        my $digit = $char =~ /[0-9]/ ? $char : $char =~ /[a-z]/ ? ord($char) - ord('a') + 10 : 99;
        last if $digit >= $base;
        $value = $value * $base + $digit;
        $at++;
    }
    return _converted($sign eq '-' ? -$value : $value, $text, $at > $start ? $at : 0);
}
*strtoul = \&strtol;

sub atoi { int((strtod($_[0]))[0]) }
sub atol { int((strtod($_[0]))[0]) }
sub atof { (strtod($_[0]))[0] }
sub toupper { uc $_[0] }
sub tolower { lc $_[0] }
sub strstr { index $_[0], $_[1] }
sub strcoll { $_[0] cmp $_[1] }
sub strerror { local $! = $_[0]; "$!" }
sub errno { $! + 0 }
sub perror { my $reason = "$!"; print STDERR @_ ? "$_[0]: $reason\n" : "$reason\n" }

# Dates -------------------------------------------------------------------------------------------

my @days = qw(Sunday Monday Tuesday Wednesday Thursday Friday Saturday);
my @months = qw(January February March April May June July August September October November December);

# Days since 1970-01-01; the month may be any integer.
sub _day_number {
    my ($year, $month, $day) = @_;
    $year += floor($month / 12);
    $month = $month % 12 + 1;
    $year-- if $month <= 2;
    my $era = floor($year / 400);
    my $of_era = $year - $era * 400;
    my $of_year = int((153 * ($month + ($month > 2 ? -3 : 9)) + 2) / 5) + $day - 1;
    return $era * 146_097 + $of_era * 365 + int($of_era / 4) - int($of_era / 100) + $of_year - 719_468;
}

sub _seconds {
    my ($sec, $min, $hour, $mday, $mon, $year) = @_;
    return _day_number($year + 1900, $mon, $mday) * 86_400 + $hour * 3600 + $min * 60 + $sec;
}

# Local time is UTC.
sub mktime { _seconds(map { $_ // 0 } @_[0 .. 5]) }

# The week of the year as ISO 8601 has it: (year, week).
sub _iso_week {
    my ($year, $yday, $wday) = @_;
    my $week = int(($yday - ($wday + 6) % 7 + 10) / 7);
    if ($week < 1) {
        $year--;
        my $length = _day_number($year + 1, 0, 1) - _day_number($year, 0, 1);
        return (_iso_week($year, $yday + $length, $wday));
    }
    my $next = _day_number($year + 1, 0, 1);
    my $today = _day_number($year, 0, 1) + $yday;
    # The days before the first Thursday's week of the next year belong to it.
    return ($year + 1, 1) if $week == 53 && $next - $today <= 3 - ($wday + 6) % 7;
    return ($year, $week);
}

my %conversion;
%conversion = (
    a => sub { substr $days[$_[6]], 0, 3 }, A => sub { $days[$_[6]] },
    b => sub { substr $months[$_[4]], 0, 3 }, B => sub { $months[$_[4]] },
    c => sub { strftime('%a %b %e %H:%M:%S %Y', @_) }, C => sub { sprintf '%02d', ($_[5] + 1900) / 100 },
    d => sub { sprintf '%02d', $_[3] }, D => sub { strftime('%m/%d/%y', @_) },
    e => sub { sprintf '%2d', $_[3] },
    F => sub { strftime('%Y-%m-%d', @_) },
    g => sub { sprintf '%02d', (_iso_week($_[5] + 1900, @_[7, 6]))[0] % 100 },
    G => sub { (_iso_week($_[5] + 1900, @_[7, 6]))[0] },
    H => sub { sprintf '%02d', $_[2] }, I => sub { sprintf '%02d', ($_[2] + 11) % 12 + 1 },
    j => sub { sprintf '%03d', $_[7] + 1 }, k => sub { sprintf '%2d', $_[2] },
    l => sub { sprintf '%2d', ($_[2] + 11) % 12 + 1 }, m => sub { sprintf '%02d', $_[4] + 1 },
    M => sub { sprintf '%02d', $_[1] }, n => sub { "\n" }, p => sub { $_[2] < 12 ? 'AM' : 'PM' },
    P => sub { $_[2] < 12 ? 'am' : 'pm' }, r => sub { strftime('%I:%M:%S %p', @_) },
    R => sub { strftime('%H:%M', @_) },
    s => sub { _seconds(@_) }, S => sub { sprintf '%02d', $_[0] }, t => sub { "\t" },
    T => sub { strftime('%H:%M:%S', @_) }, u => sub { $_[6] || 7 },
    U => sub { sprintf '%02d', ($_[7] + 7 - $_[6]) / 7 },
    V => sub { sprintf '%02d', (_iso_week($_[5] + 1900, @_[7, 6]))[1] },
    w => sub { $_[6] }, W => sub { sprintf '%02d', ($_[7] + 7 - ($_[6] + 6) % 7) / 7 },
    x => sub { strftime('%m/%d/%y', @_) }, X => sub { strftime('%H:%M:%S', @_) },
    y => sub { sprintf '%02d', ($_[5] + 1900) % 100 }, Y => sub { $_[5] + 1900 },
    z => sub { '+0000' }, Z => sub { 'UTC' },
    '%' => sub { '%' },
);
$conversion{h} = $conversion{b};

sub strftime {
    my ($format, @time) = @_;
    Carp::croak('Usage: POSIX::strftime(fmt, sec, min, hour, mday, mon, year, wday = -1, yday = -1, isdst = -1)')
        if @time < 6;
    # Out-of-range values run over into the next larger unit, as they do in C.
    @time = gmtime _seconds(map { int($_ // 0) } @time[0 .. 5]);
    $format =~ s/%[EO_0^#-]?([a-zA-Z%])/exists $conversion{$1} ? $conversion{$1}->(@time) : "%$1"/ge;
    return $format;
}

sub asctime { strftime("%a %b %e %H:%M:%S %Y\n", @_) }
sub ctime { asctime(gmtime $_[0]) }
sub difftime { $_[0] - $_[1] }
sub clock { int((Time::HiRes::time() - $^T) * CLOCKS_PER_SEC) }
sub tzname { ('UTC', 'UTC') }
sub tzset { return }

# Files and the process ---------------------------------------------------------------------------

use constant {
    EXIT_SUCCESS => 0, EXIT_FAILURE => 1, R_OK => 4, W_OK => 2, X_OK => 1, F_OK => 0,
    STDIN_FILENO => 0, STDOUT_FILENO => 1, STDERR_FILENO => 2, WNOHANG => 1, WUNTRACED => 2,
    LC_CTYPE => 0, LC_NUMERIC => 1, LC_TIME => 2, LC_COLLATE => 3, LC_MONETARY => 4, LC_MESSAGES => 5,
    LC_ALL => 6,
    _SC_NPROCESSORS_ONLN => 84, _SC_PAGESIZE => 30, _SC_OPEN_MAX => 4, _SC_CLK_TCK => 2,
};
my %signal = (
    HUP => 1, INT => 2, QUIT => 3, ILL => 4, TRAP => 5, ABRT => 6, BUS => 7, FPE => 8, KILL => 9, USR1 => 10,
    SEGV => 11, USR2 => 12, PIPE => 13, ALRM => 14, TERM => 15, CHLD => 17, CONT => 18, STOP => 19, TSTP => 20,
);
{
    no strict 'refs';
    for my $name (keys %signal) { my $number = $signal{$name}; *{"SIG$name"} = sub () { $number } }
    for my $name (@Errno::EXPORT_OK) { *$name = \&{"Errno::$name"} }
    for my $name (grep { /\A(?:O_|SEEK_|S_I|F_)/ } @Fcntl::EXPORT, @Fcntl::EXPORT_OK) {
        *$name = \&{"Fcntl::$name"};
    }
}

sub access {
    my ($path, $mode) = @_;
    return -e $path ? '0 but true' : undef;
}
sub getcwd { Cwd::getcwd() }
sub getpid { $$ }
sub isatty { '' }
sub setlocale { 'C' }
sub localeconv { return { decimal_point => '.' } }
sub uname { ('wasi', 'sandbox', '1', '1', 'wasm32') }
sub times { my $ticks = int(Time::HiRes::time() * 100); ($ticks, CORE::times()) }
my %configured = (_SC_NPROCESSORS_ONLN, 1, _SC_PAGESIZE, 65_536, _SC_CLK_TCK, 100);
sub sysconf { $configured{ $_[0] } }
sub WIFEXITED { ($_[0] & 0x7F) == 0 }
sub WEXITSTATUS { $_[0] >> 8 & 0xFF }
sub WIFSIGNALED { ($_[0] & 0x7F) != 0 }
sub WTERMSIG { $_[0] & 0x7F }
sub WIFSTOPPED { '' }
sub _exit { exit $_[0] }
sub abort { exit 134 }
sub mkfifo { $! = Errno::ENOSYS(); undef }

for my $name (qw(dup dup2 pipe setsid setpgid ttyname ctermid nice pause alarm sigaction sigprocmask sigsuspend)) {
    no strict 'refs';
    *$name = sub { $! = Errno::ENOSYS(); undef };
}

# What is exported --------------------------------------------------------------------------------

my @own = do {
    no strict 'refs';
    my %not_ours = map { $_ => 1 } qw(BEGIN ISA EXPORT EXPORT_OK EXPORT_TAGS VERSION import);
    grep { !/\A_[a-z]/ && !$not_ours{$_} && defined &$_ } keys %POSIX::;
};
# These would take the place of Perl's own functions.
my %builtin = map { $_ => 1 } qw(alarm pipe times);
our @EXPORT = (grep({ !$builtin{$_} } @own), '_exit');
our @EXPORT_OK = (@own, '_exit');
our %EXPORT_TAGS = (
    limits_h => [grep { /\A(?:S?CHAR_|U?CHAR_|U?SHRT_|U?INT_|U?LONG_|SSIZE_|PATH_|NAME_|ARG_|OPEN_|PIPE_)/ } @own],
    float_h => [grep { /\A(?:DBL|FLT|LDBL)_/ } @own],
    math_h => [grep({ /\AM_/ } @own), qw(HUGE_VAL INFINITY NAN floor ceil fmod pow tan asin acos atan sinh cosh
        tanh log10 frexp ldexp modf)],
    math_h_c99 => [grep({ /\AM_/ } @own), qw(HUGE_VAL INFINITY NAN acosh asinh atanh cbrt copysign expm1 fdim fma
        fmax fmin hypot isfinite isinf isnan log1p log2 lrint lround nearbyint remainder rint round signbit
        trunc)],
    errno_h => [grep { /\AE[A-Z0-9]+\z/ && $_ ne 'EOF' } @own],
    fcntl_h => [grep { /\A(?:O_|SEEK_|S_I|F_)/ } @own],
    signal_h => [grep { /\ASIG[A-Z0-9]+\z/ } @own], sys_wait_h => [grep { /\AW[A-Z]+\z/ } @own],
    stdlib_h => [qw(EXIT_FAILURE EXIT_SUCCESS RAND_MAX abort atof atoi atol strtod strtol strtoul)],
    time_h => [qw(CLOCKS_PER_SEC asctime clock ctime difftime mktime strftime tzname tzset)],
    unistd_h => [qw(R_OK W_OK X_OK F_OK STDIN_FILENO STDOUT_FILENO STDERR_FILENO _exit access getcwd getpid isatty
        sysconf)],
    locale_h => [grep({ /\ALC_/ } @own), qw(localeconv setlocale)], string_h => [qw(strcoll strerror strstr)],
    ctype_h => [qw(tolower toupper)], stdio_h => [qw(BUFSIZ EOF perror)],
);

sub _is_builtin {
    my ($name) = @_;
    return $name =~ /\A[a-z]+\z/ && eval { my $prototype = prototype "CORE::$name"; 1 };
}

# Asking for one of Perl's own functions is allowed and changes nothing.
sub import {
    my ($package, @names) = @_;
    my @wanted = grep { $builtin{$_} || !_is_builtin($_) } @names;
    return if @names && !@wanted;
    local $Exporter::ExportLevel = 1;
    return Exporter::import($package, @wanted);
}

1;
