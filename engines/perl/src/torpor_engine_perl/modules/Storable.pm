# Storable: deep copies of data, and data in files. It stands in for the compiled module of that name, which
# this build of Perl lacks, and has a format of its own: its files are read by it alone.
#
# Shared references, cycles, classes and the difference of numbers, bytes and text are kept. Code is refused,
# as by the original; hooks of classes (`STORABLE_freeze`) are not called.
package Storable;

use strict;
use warnings;
use Carp ();
use Exporter ();
use Scalar::Util qw(blessed refaddr reftype);

our $VERSION = '3.37';
our @ISA = ('Exporter');
our @EXPORT = qw(store retrieve);
our @EXPORT_OK = qw(
    store nstore retrieve store_fd nstore_fd fd_retrieve freeze nfreeze thaw dclone retrieve_fd lock_store
    lock_nstore lock_retrieve file_magic read_magic
);
our ($canonical, $forgive_me, $Deparse, $Eval);

use constant MAGIC => "torpor-storable 1\n";

sub _sized { length($_[0]) . ":$_[0]" }

sub _freeze_scalar {
    my ($value) = @_;
    return 'u' if !defined $value;
    no warnings 'experimental';
    return $value ? 'y' : 'n' if builtin::is_bool($value);
    return 'i' . _sized("$value") if builtin::created_as_number($value) && $value =~ /\A-?[0-9]+\z/;
    return 'f' . _sized(sprintf '%.17g', $value) if builtin::created_as_number($value);
    return 'b' . _sized($value) if !utf8::is_utf8($value);
    utf8::encode(my $bytes = $value);
    return 't' . _sized($bytes);
}

# Appends to `$_[0]`; `$seen` numbers the things that references lead to.
sub _freeze {
    my (undef, $value, $seen) = @_;
    if (!ref $value) { $_[0] .= _freeze_scalar($value); return }
    my ($kind, $class, $address) = (reftype($value), blessed($value), refaddr($value));
    if (defined $seen->{$address}) { $_[0] .= 'r' . _sized($seen->{$address}); return }
    $seen->{$address} = $seen->{count}++;
    $_[0] .= 'o' . _sized($class) if defined $class && $kind ne 'REGEXP';
    if ($kind eq 'ARRAY') {
        $_[0] .= 'A' . _sized(scalar @$value);
        _freeze($_[0], $_, $seen) for @$value;
    }
    elsif ($kind eq 'HASH') {
        $_[0] .= 'H' . _sized(scalar keys %$value);
        for my $key (sort keys %$value) {
            $_[0] .= _freeze_scalar($key);
            _freeze($_[0], $value->{$key}, $seen);
        }
    }
    elsif ($kind eq 'SCALAR' || $kind eq 'REF' || $kind eq 'LVALUE' || $kind eq 'VSTRING') {
        $_[0] .= 'S';
        _freeze($_[0], $$value, $seen);
    }
    elsif ($kind eq 'REGEXP') {
        my ($pattern, $flags) = re::regexp_pattern($value);
        $_[0] .= 'q' . _freeze_scalar($pattern) . _freeze_scalar($flags);
    }
    else { Carp::croak("Can't store $kind items") }
    return;
}

sub _read_sized {
    $_[0] =~ /\G([0-9]+):/gc or Carp::croak('Storable: this is not what it has stored');
    my $text = substr $_[0], pos $_[0], $1;
    pos($_[0]) += $1;
    return $text;
}

# Reads what is at the position of `$_[0]`; `$things` are those that were read.
sub _thaw {
    my (undef, $things, $class) = @_;
    my $kind = substr $_[0], pos($_[0])++, 1;
    return undef if $kind eq 'u';
    return $kind eq 'y' if $kind eq 'y' || $kind eq 'n';
    return 0 + _read_sized($_[0]) if $kind eq 'i' || $kind eq 'f';
    return _read_sized($_[0]) if $kind eq 'b';
    if ($kind eq 't') {
        my $text = _read_sized($_[0]);
        utf8::decode($text);
        utf8::upgrade($text);
        return $text;
    }
    return $things->[_read_sized($_[0])] if $kind eq 'r';
    return _thaw($_[0], $things, _read_sized($_[0])) if $kind eq 'o';
    if ($kind eq 'A') {
        my $count = _read_sized($_[0]);
        push @$things, my $array = defined $class ? bless [], $class : [];
        push @$array, _thaw($_[0], $things) for 1 .. $count;
        return $array;
    }
    if ($kind eq 'H') {
        my $count = _read_sized($_[0]);
        push @$things, my $hash = defined $class ? bless {}, $class : {};
        for (1 .. $count) {
            my $key = _thaw($_[0], $things);
            $hash->{$key} = _thaw($_[0], $things);
        }
        return $hash;
    }
    if ($kind eq 'S') {
        my $reference = \my $inner;
        bless $reference, $class if defined $class;
        push @$things, $reference;
        $inner = _thaw($_[0], $things);
        return $reference;
    }
    if ($kind eq 'q') {
        my ($pattern, $flags) = (_thaw($_[0], $things), _thaw($_[0], $things));
        $flags =~ s/[^a-z]//g;
        push @$things, my $compiled = eval { $flags eq '' ? qr/$pattern/ : qr/(?^$flags:$pattern)/ };
        return $compiled;
    }
    Carp::croak('Storable: this is not what it has stored');
}

sub freeze {
    my ($value) = @_;
    Carp::croak('Not a reference') if !ref $value;
    my $frozen = MAGIC;
    _freeze($frozen, $value, { count => 0 });
    return $frozen;
}

sub thaw {
    my ($frozen) = @_;
    Carp::croak('Storable: this is not what it has stored') if !defined $frozen || index($frozen, MAGIC) != 0;
    pos($frozen) = length MAGIC;
    return _thaw($frozen, []);
}

sub dclone { defined $_[0] ? thaw(freeze($_[0])) : undef }

sub store {
    my ($value, $path) = @_;
    my $frozen = freeze($value);
    open my $file, '>:raw', $path or Carp::croak("can't create $path: $!");
    print {$file} $frozen or Carp::croak("can't write to $path: $!");
    close $file or Carp::croak("can't store to $path: $!");
    return 1;
}

sub retrieve {
    my ($path) = @_;
    open my $file, '<:raw', $path or Carp::croak("can't open $path: $!");
    local $/;
    return thaw(scalar <$file>);
}

sub store_fd { my ($value, $file) = @_; binmode $file; print {$file} freeze($value) }
sub fd_retrieve { my ($file) = @_; binmode $file; local $/; thaw(scalar <$file>) }

*nfreeze = \&freeze;
*nstore = *lock_store = *lock_nstore = \&store;
*lock_retrieve = \&retrieve;
*nstore_fd = \&store_fd;
*retrieve_fd = \&fd_retrieve;

1;
