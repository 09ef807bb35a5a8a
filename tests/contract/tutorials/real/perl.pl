# Runs a session in this perl, entry by entry: each is compiled inside the scope of the one before it, so that
# `my` variables and pragmas live on. Reads the sources from a JSON file (first argument) and writes one JSON
# line for each to a second file; NUL on both streams ends what an entry printed.
#
# Perl has no REPL. The value of an entry is that of its last line when `shows` says that the line is an
# expression. An error that is a text has no class: CompileError and PerlError are our names. An entry that
# dies takes what it declared with it.
package Driver;
use strict;
use warnings;
use JSON::PP ();

my ($sources_path, $results_path) = splice @ARGV;
my $json = JSON::PP->new->utf8->canonical;
my $sources = do {
    open my $file, '<', $sources_path or die "$sources_path: $!";
    local $/;
    $json->decode(<$file>);
};
my @entries = map { { source => $sources->{sources}[$_], shows => $sources->{shows}[$_] } }
    0 .. $#{ $sources->{sources} };
my ($current, $started, $finished, $number);
binmode $_, ':utf8' for \*STDOUT, \*STDERR;
$_->autoflush(1) for \*STDOUT, \*STDERR;

# The next entry as text that reports its end and makes room for the one after it; undef when none is left.
sub next_entry {
    $current = shift @entries or return undef;
    $started = $finished = 0;
    $number++;
    my $source = $current->{source};
    $source =~ s/([^\n]+?);?\s*\z/Driver::finish($1);/ if $current->{shows};
    $source .= "\n;Driver::finish();" if !$current->{shows};
    return "use utf8; Driver::started();\n#line 1 \"<cell $number>\"\n$source\n;" . inner();
}

# Runs when the entry has been compiled.
sub started { $started = 1 }

sub inner {
    return 'while (defined(my $driver_entry = Driver::next_entry())) {'
        . ' eval $driver_entry; Driver::failed() }';
}

sub report {
    my (%outcome) = @_;
    print {$_} "\0" for \*STDOUT, \*STDERR;
    open my $file, '>>', $results_path or die "$results_path: $!";
    print {$file} $json->encode({ value => undef, error => undef, message => undef, %outcome }), "\n";
    close $file;
}

sub finish {
    my ($value) = @_;
    $finished = 1;
    report(value => defined $value ? "$value" : undef);
}

# Called when an entry's eval has ended: either it died, or all others ran inside it.
sub failed {
    return if $finished;
    $finished = 1;
    my $error = $@;
    my $name = ref $error || ($started ? 'PerlError' : 'CompileError');
    my $message = "$error";
    $message =~ s/\s+\z//;
    report(error => $name, message => $message);
}

package main;
eval Driver::inner();
die $@ if $@;
