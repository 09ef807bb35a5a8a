# mro: looks at the order in which methods are searched. It stands in for the compiled module of that name,
# which this build of Perl lacks. Only Perl's own order, depth first, is there.
package mro;

use strict;
use warnings;
use Carp ();

our $VERSION = '1.29';

sub import {
    my (undef, $order) = @_;
    return set_mro(scalar(caller), $order // 'dfs');
}

sub set_mro {
    my ($class, $order) = @_;
    Carp::croak("The method resolution order '$order' is not available in this Perl: only 'dfs' is")
        if $order ne 'dfs';
    return;
}

sub get_mro { 'dfs' }

sub get_linear_isa {
    my ($class) = @_;
    my (%seen, @found);
    my @next = ($class);
    while (defined(my $one = shift @next)) {
        next if $seen{$one}++;
        push @found, $one;
        no strict 'refs';
        unshift @next, @{"${one}::ISA"};
    }
    return \@found;
}

sub is_universal { $_[0] eq 'UNIVERSAL' }
sub invalidate_all_method_caches { return }

1;
