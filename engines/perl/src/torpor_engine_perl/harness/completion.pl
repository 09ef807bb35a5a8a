# What could stand at the cursor: variables, subroutines, methods, keys, words of the language. Looks at names
# and symbol tables only; nothing of the user's is called.
use constant MOST_MATCHES => 500;

my @keywords = qw(
    abs and atan2 bless caller chdir chomp chop chr close closedir cmp continue cos defined delete die do each
    else elsif eof eq eval exists exit exp fc for foreach format ge glob gmtime goto grep gt hex if index int
    isa join keys last lc lcfirst le length local localtime log lt map mkdir my ne next no not oct open
    opendir or ord our pack package pop pos print printf push quotemeta rand read readdir readline redo ref
    rename require return reverse rindex rmdir say scalar seek select shift sin sleep sort splice split
    sprintf sqrt srand stat state sub substr tell tie time uc ucfirst undef unless unlink unpack unshift untie
    until use utime wantarray warn while xor
);

my %slot = ('$' => 'SCALAR', '@' => 'ARRAY', '%' => 'HASH', '&' => 'CODE');

my sub table_of {
    my ($package) = @_;
    no strict 'refs';
    return \%{"${package}::"};
}

# The names in a package that have something of this kind.
my sub package_names {
    my ($package, $sigil) = @_;
    my $table = table_of($package);
    my $wanted = $slot{$sigil};
    return grep {
        /\A[A-Za-z_]\w*\z/ && do {
            my $entry = \$table->{$_};
            # A subroutine or a constant may stand there without a glob.
            builtin::reftype($entry) eq 'GLOB'
                ? $sigil eq '$' ? defined ${ *$entry{SCALAR} // \undef } : defined *$entry{$wanted}
                : $sigil eq '&';
        }
    } keys %$table;
}

my sub nested_packages {
    my ($prefix) = @_;
    my $within = $prefix =~ /\A(.*::)/ ? $1 : '';
    my $table = table_of($within eq '' ? 'main' : $within =~ s/::\z//r);
    return map { $within . s/::\z//r } grep { /\A[A-Za-z_]\w*::\z/ && $_ ne 'main::' } keys %$table;
}

my sub methods_of {
    my ($class) = @_;
    my (%seen, @found);
    my @classes = ($class, 'UNIVERSAL');
    while (defined(my $next = shift @classes)) {
        next if $seen{$next}++;
        push @found, package_names($next, '&');
        no strict 'refs';
        unshift @classes, @{"${next}::ISA"};
    }
    return @found;
}

# A reference to a variable that is visible to the user, without reading it.
my sub reference_to {
    my ($name) = @_;
    local ($@, $SIG{__DIE__}, $SIG{__WARN__});
    $SIG{__WARN__} = sub { };
    my ($reference) = compile_in($scope{compile}, STRICT . "\\$name");
    return $reference;
}

my sub after_arrow {
    my ($owner, $word) = @_;
    my $class = $owner;
    if ($owner =~ /\A\$/) {
        my $reference = reference_to($owner);
        return () if !ref $reference || ref $$reference eq '' || tied $$reference;
        $class = builtin::blessed($$reference) // return ();
    }
    return grep { index($_, $word) == 0 } methods_of($class);
}

my sub keys_of {
    my ($owner, $arrow, $word) = @_;
    my $hash = reference_to($arrow ? $owner : '%' . substr $owner, 1);
    if ($arrow) {
        return () if !ref $hash || tied $$hash;
        $hash = $$hash;
    }
    return () if !ref $hash || builtin::reftype($hash) ne 'HASH' || tied %$hash;
    return grep { /\A\w+\z/ && index($_, $word) == 0 } keys %$hash;
}

my sub variables {
    my ($sigil, $word) = @_;
    my ($package) = compile_in($scope{compile}, '__PACKAGE__');
    my @names = map { /\A\Q$sigil\E(\w+)/ ? $1 : () } @{ $scope{names} };
    # An element is written with another sigil than its aggregate.
    push @names, map { /\A[\@%](\w+)/ ? $1 : () } @{ $scope{names} } if $sigil eq '$';
    push @names, package_names($package, $sigil);
    return grep { index($_, $word) == 0 } @names;
}

my sub words {
    my ($word) = @_;
    my ($package) = compile_in($scope{compile}, '__PACKAGE__');
    my @lexical = map { /\A&(\w+)/ ? $1 : () } @{ $scope{names} };
    my @known = (@lexical, package_names($package, '&'), nested_packages($word), @keywords);
    return grep { index($_, $word) == 0 } @known;
}

# (start, matches) for the text before the cursor.
my sub complete {
    my ($text) = @_;
    my (@found, $word);
    if ($text =~ /(\$\w+|\w+(?:::\w+)*)->(\w*)\z/) { ($word, @found) = ($2, after_arrow($1, $2)) }
    elsif ($text =~ /(\$\w+)(->)?\{\s*(\w*)\z/) { ($word, @found) = ($3, keys_of($1, $2, $3)) }
    elsif ($text =~ /([\$\@%&])(\w*)\z/) { ($word, @found) = ($2, variables($1, $2)) }
    elsif ($text =~ /(\w+(?:::\w*)*)\z/) { ($word, @found) = ($1, words($1)) }
    else { return (length $text) }
    my %seen;
    @found = grep { !$seen{$_}++ } sort @found;
    splice @found, MOST_MATCHES if @found > MOST_MATCHES;
    return (length($text) - length $word, @found);
}
