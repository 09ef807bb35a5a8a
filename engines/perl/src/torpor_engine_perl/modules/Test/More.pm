# Test::More: the functions that people use to write tests, in TAP on the standard streams. It stands in for
# the module of that name, which this build of Perl leaves out. A test file's end is `done_testing`, or the
# plan.
package Test::More;

use strict;
use warnings;
use Exporter ();
use Scalar::Util qw(blessed reftype refaddr);

our $VERSION = '1.302210';
our @ISA = ('Exporter');
our $TODO;
our @EXPORT = qw(
    ok use_ok require_ok is isnt like unlike is_deeply cmp_ok skip todo_skip pass fail eq_array eq_hash eq_set
    $TODO plan done_testing can_ok isa_ok new_ok diag note explain subtest BAIL_OUT
);

# One for each level of subtests: how many ran, how many failed, how many were planned.
my @levels = ({ ran => 0, failed => 0 });

sub import {
    my ($package, @plan) = @_;
    # A new use is a new test file.
    @levels = ({ ran => 0, failed => 0 });
    plan(@plan) if @plan && $plan[0] ne 'import';
    local $Exporter::ExportLevel = 1;
    Exporter::import($package, $plan[0] && $plan[0] eq 'import' ? @{ $plan[1] } : ());
    return;
}

sub _print {
    my ($text) = @_;
    my $margin = '    ' x $#levels;
    $text =~ s/^/$margin/mg;
    local ($,, $\) = ('', '');
    print STDOUT "$text\n";
    return;
}

sub plan {
    my ($kind, $value) = @_;
    if ($kind eq 'tests') { $levels[-1]{planned} = $value; _print("1..$value") }
    elsif ($kind eq 'skip_all') {
        _print('1..0 # SKIP' . (defined $value ? " $value" : ''));
        $levels[-1]{skipped_all} = 1;
        last SUBTEST if @levels > 1;
        exit 0;
    }
    return;
}

# The caller's line, past the functions in here.
sub _place {
    my $level = 0;
    $level++ while (caller $level)[0] eq __PACKAGE__;
    my (undef, $file, $line) = caller $level;
    return "at $file line $line.";
}

sub ok ($;$) {
    my ($passed, $name) = @_;
    my $level = $levels[-1];
    my $number = ++$level->{ran};
    my $text = ($passed ? 'ok' : 'not ok') . " $number" . (defined $name ? " - $name" : '');
    my $todo = do { no strict 'refs'; ${ caller() . '::TODO' } // $TODO };
    $text .= " # TODO $todo" if defined $todo;
    _print($text);
    if (!$passed) {
        $level->{failed}++ if !defined $todo;
        my $failed = 'Failed' . (defined $todo ? ' (TODO)' : '') . ' test';
        diag(defined $name ? "  $failed '$name'\n  " . _place() : "  $failed " . _place());
    }
    return $passed ? 1 : 0;
}

sub pass (;$) { ok(1, $_[0]) }
sub fail (;$) { ok(0, $_[0]) }

sub _shown { defined $_[0] ? "'$_[0]'" : 'undef' }

sub is ($$;$) {
    my ($got, $expected, $name) = @_;
    my $same = defined $got && defined $expected ? $got eq $expected : !defined $got && !defined $expected;
    ok($same, $name) or diag('         got: ' . _shown($got) . "\n    expected: " . _shown($expected));
    return $same ? 1 : 0;
}

sub isnt ($$;$) {
    my ($got, $unwanted, $name) = @_;
    my $same = defined $got && defined $unwanted ? $got eq $unwanted : !defined $got && !defined $unwanted;
    ok(!$same, $name) or diag('         got: ' . _shown($got) . "\n    expected: anything else");
    return $same ? 0 : 1;
}

sub like ($$;$) {
    my ($got, $pattern, $name) = @_;
    my $matches = defined $got && $got =~ $pattern;
    ok($matches, $name) or diag('                  ' . _shown($got) . "\n    doesn't match '$pattern'");
    return $matches ? 1 : 0;
}

sub unlike ($$;$) {
    my ($got, $pattern, $name) = @_;
    my $matches = defined $got && $got =~ $pattern;
    ok(!$matches, $name) or diag('                  ' . _shown($got) . "\n          matches '$pattern'");
    return $matches ? 0 : 1;
}

my %compare = (
    '==' => sub { $_[0] == $_[1] }, '!=' => sub { $_[0] != $_[1] }, '<' => sub { $_[0] < $_[1] },
    '<=' => sub { $_[0] <= $_[1] }, '>' => sub { $_[0] > $_[1] }, '>=' => sub { $_[0] >= $_[1] },
    eq => sub { $_[0] eq $_[1] }, ne => sub { $_[0] ne $_[1] }, lt => sub { $_[0] lt $_[1] },
    le => sub { $_[0] le $_[1] }, gt => sub { $_[0] gt $_[1] }, ge => sub { $_[0] ge $_[1] },
    '&&' => sub { $_[0] && $_[1] }, '||' => sub { $_[0] || $_[1] }, '=~' => sub { $_[0] =~ $_[1] },
    '!~' => sub { $_[0] !~ $_[1] },
);

sub cmp_ok ($$$;$) {
    my ($got, $operator, $expected, $name) = @_;
    my $holds = $compare{$operator} ? $compare{$operator}->($got, $expected) : 0;
    ok($holds, $name) or diag('    ' . _shown($got) . "\n        $operator\n    " . _shown($expected));
    return $holds ? 1 : 0;
}

# Where the two differ: a path and both values, or nothing.
sub _difference {
    my ($got, $expected, $path, $seen) = @_;
    return if !defined $got && !defined $expected;
    return [$path, $got, $expected] if !defined $got || !defined $expected || !!ref $got != !!ref $expected;
    if (!ref $got) { return $got eq $expected ? () : [$path, $got, $expected] }
    return if refaddr($got) == refaddr($expected) || $seen->{ refaddr $got }{ refaddr $expected }++;
    my ($kind, $other) = (reftype($got), reftype($expected));
    return [$path, $got, $expected] if $kind ne $other;
    if ($kind eq 'ARRAY') {
        for my $index (0 .. ($#$got > $#$expected ? $#$got : $#$expected)) {
            my $there = "$path\[$index]";
            return [$there, $got->[$index], 'Does not exist'] if $index > $#$expected;
            return [$there, 'Does not exist', $expected->[$index]] if $index > $#$got;
            my $found = _difference($got->[$index], $expected->[$index], $there, $seen);
            return $found if $found;
        }
        return;
    }
    if ($kind eq 'HASH') {
        for my $key (sort keys %{ { %$got, %$expected } }) {
            my $there = "$path\{$key}";
            return [$there, $got->{$key}, 'Does not exist'] if !exists $expected->{$key};
            return [$there, 'Does not exist', $expected->{$key}] if !exists $got->{$key};
            my $found = _difference($got->{$key}, $expected->{$key}, $there, $seen);
            return $found if $found;
        }
        return;
    }
    return _difference($$got, $$expected, "\${$path}", $seen) if $kind eq 'SCALAR' || $kind eq 'REF';
    return "$got" eq "$expected" ? () : [$path, $got, $expected];
}

sub is_deeply {
    my ($got, $expected, $name) = @_;
    my $difference = _difference($got, $expected, '', {});
    return ok(1, $name) if !$difference;
    ok(0, $name);
    my ($path, $left, $right) = @$difference;
    $path =~ s/\A(?=[\[{])/->/;
    diag("    Structures begin differing at:\n         \$got$path = " . _shown($left)
        . "\n    \$expected$path = " . _shown($right));
    return 0;
}

sub eq_array { _difference($_[0], $_[1], '', {}) ? 0 : 1 }
sub eq_hash { _difference($_[0], $_[1], '', {}) ? 0 : 1 }
sub eq_set { eq_array([sort @{ $_[0] }], [sort @{ $_[1] }]) }

sub can_ok ($@) {
    my ($thing, @methods) = @_;
    my $class = ref $thing || $thing;
    my @missing = grep { !$thing->can($_) } @methods;
    ok(!@missing, @methods == 1 ? "$class->can('$methods[0]')" : "$class->can(...)")
        or diag(map { "    $class->can('$_') failed\n" } @missing);
    return !@missing;
}

sub isa_ok ($;$$) {
    my ($thing, $class, $name) = @_;
    my $is = blessed $thing ? $thing->isa($class)
        : ref $thing ? reftype($thing) eq $class
        : defined $thing && $thing->isa($class);
    $name //= blessed $thing ? "An object of class '" . ref($thing) . "'"
        : ref $thing ? "A reference of type '" . ref($thing) . "'"
        : "The class (or class-like) '" . ($thing // '') . "'";
    return ok($is, "$name isa '$class'");
}

sub new_ok {
    my ($class, $arguments, $name) = @_;
    my $object = eval { $class->new(@{ $arguments // [] }) };
    diag("    Error was: $@") if !isa_ok($object, $class, $name);
    return $object;
}

sub use_ok ($;@) {
    my ($module, @imports) = @_;
    my $package = caller;
    my $done = eval "package $package; require $module; $module->import(\@imports); 1";
    ok($done, "use $module;") or diag("    Tried to use '$module'.\n    Error:  $@");
    return $done;
}

sub require_ok ($) {
    my ($module) = @_;
    my $file = $module =~ /\A[\w:]+\z/ ? "$module.pm" =~ s{::}{/}gr : $module;
    my $done = eval { require $file; 1 };
    ok($done, "require $module;") or diag("    Tried to require '$module'.\n    Error:  $@");
    return $done;
}

sub _comment {
    my $text = join '', map { defined $_ ? $_ : 'undef' } @_;
    $text =~ s/\n\z//;
    $text =~ s/^/# /mg;
    return $text;
}

sub diag {
    my $text = _comment(@_);
    my $margin = '    ' x $#levels;
    $text =~ s/^/$margin/mg;
    local ($,, $\) = ('', '');
    print STDERR "$text\n";
    return 0;
}

sub note { _print(_comment(@_)); return 0 }

sub explain {
    require Data::Dumper;
    local ($Data::Dumper::Indent, $Data::Dumper::Sortkeys, $Data::Dumper::Terse) = (1, 1, 1);
    return map { ref $_ ? Data::Dumper::Dumper($_) : $_ } @_;
}

sub skip {
    my ($why, $count) = @_;
    for (1 .. $count // 1) { _print('ok ' . ++$levels[-1]{ran} . " # skip $why") }
    no warnings 'exiting';
    last SKIP;
}

sub todo_skip {
    my ($why, $count) = @_;
    for (1 .. $count // 1) { _print('not ok ' . ++$levels[-1]{ran} . " # TODO & SKIP $why") }
    no warnings 'exiting';
    last TODO;
}

sub subtest {
    my ($name, $code, @arguments) = @_;
    note("Subtest: $name");
    push @levels, { ran => 0, failed => 0 };
    SUBTEST: { no warnings 'exiting'; eval { $code->(@arguments); 1 } or $levels[-1]{died} = $@ }
    my $level = pop @levels;
    push @levels, $level;
    done_testing() if !defined $level->{planned} && !$level->{skipped_all};
    pop @levels;
    die $level->{died} if defined $level->{died};
    my $passed = !$level->{failed} && (!defined $level->{planned} || $level->{planned} == $level->{ran});
    return ok($passed, $name);
}

sub done_testing {
    my ($count) = @_;
    my $level = $levels[-1];
    $count //= $level->{ran};
    _print("1..$count") if !defined $level->{planned};
    $level->{planned} = $count;
    my ($failed, $ran) = @$level{qw(failed ran)};
    diag("Looks like you failed $failed test" . ($failed == 1 ? '' : 's') . " of $ran.") if $failed;
    diag("Looks like you planned $count test" . ($count == 1 ? '' : 's') . " but ran $ran.") if $count != $ran;
    return 1;
}

sub BAIL_OUT {
    my ($why) = @_;
    _print("Bail out!  $why");
    exit 255;
}

# `Test::More->builder` and the like are for extensions, which are not there.
1;
