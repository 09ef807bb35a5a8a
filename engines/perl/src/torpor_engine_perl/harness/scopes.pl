# The scope of a context: each execution is compiled inside the one that the execution before it left behind,
# so that its `my` variables, pragmas and package go on.
#
# A scope is a closure that compiles its argument. The hook at the end of the user's code makes the next one,
# at compile time, when all declarations of that code are visible: a closure over the names that are new. Older
# ones are held by the scopes that it is nested in.

# Scopes nest one in another, and looking up a name would walk through all of them. So every so often the scope
# is made anew, flat. Sooner where names were declared again: the variables that they hid live on in the outer
# scopes until then, and a cell that is run again and again may have filled them.
use constant {
    MOST_NESTED => 16,
    # Elements and characters in the variables that others hide.
    MOST_HIDDEN => 10_000,
};

my %scope = (
    compile => undef,
    names => [],
    # Lexical names that stand for package variables -> their package.
    package_of => {},
    nested => 0,
    # How much the variables hold that later ones of the same name hide.
    hidden => 0,
);
# Between the compilation of code and its first statement: what the scope will be if it gets so far.
my $next;
# What the code that is being compiled may declare.
my $candidates = {};

# Sets of pragmas by name: (`$^H`, `%^H`, `${^WARNING_BITS}`). Code of the harness's own is compiled under
# them without `use`, which would depend on what the user left of `%INC` and `@INC`.
my %pragmas;

my sub remember_pragmas {
    my ($name) = @_;
    $pragmas{$name} = [$^H, {%^H}, ${^WARNING_BITS}];
    return;
}

# Begins code that is compiled under one of them.
use constant {
    LAX => "BEGIN { Torpor::set_pragmas('lax') } ",
    STRICT => "BEGIN { Torpor::set_pragmas('strict') } ",
};

my sub set_pragmas {
    my ($name) = @_;
    my ($hints, $words, $warnings) = @{ $pragmas{$name} };
    ($^H, ${^WARNING_BITS}) = ($hints, $warnings);
    %^H = %$words;
    return;
}

# Compile and run a piece of code in a scope. Perl takes it for text only when it is kept as UTF-8.
my sub compile_in {
    my ($compile, $code) = @_;
    utf8::upgrade($code);
    return $compile->($code);
}

# References to all of the names: mentioning them makes a closure hold them.
my sub mention {
    return join ',', map { "\\$_" } @_;
}

# The code of a closure over names. It takes its pragmas and its package from where it is compiled.
my sub closure_over {
    my $mentioned = mention(@_);
    return "\n#line 1 \"${\OWN_FILE}\"\nsub { if (0) { my \@mentioned = ($mentioned) } eval CORE::shift }";
}

# What the code may declare: variable -> the words that declare it, `my` or `our` or both. It does not look at
# where: the compiler knows what is visible.
my sub declarations {
    my ($code) = @_;
    my %found;
    while ($code =~ /\b(my|our|state)\b\s*(?:sub\s+(\w+)|(?:[A-Za-z_][\w:]*\s+)?\\?\s*(\([^)]*\)|[\$\@%]\w+))/g) {
        my $word = $1 eq 'our' ? 'our' : 'my';
        my @names = defined $2 ? "&$2" : $3 =~ /([\$\@%]\w+)/g;
        $found{$_}{$word} = 1 for @names;
    }
    delete @found{qw($_ @_ %_)};
    return \%found;
}

# Those of the names that are lexical where the hook stands: not their package's variables of the same name.
my sub lexical {
    my ($see, @names) = @_;
    return () if !@names;
    my @tests = map {
        my ($sigil, $plain) = (substr($_, 0, 1), substr $_, 1);
        "\\$_ != \\$sigil\{__PACKAGE__.'::$plain'}";
    } @names;
    my @is = compile_in($see, LAX . '(' . join(',', @tests) . ')');
    return map { $is[$_] ? $names[$_] : () } 0 .. $#names;
}

my sub is_visible {
    my ($see, @names) = @_;
    my $mentioned = mention(@names);
    return !!compile_in($see, STRICT . "sub { ($mentioned) }; 1");
}

# The package of a visible name that was declared with `our`, or undef.
my sub package_behind {
    my ($see, $name) = @_;
    my ($sigil, $plain) = (substr($name, 0, 1), substr $name, 1);
    my $namesake = "\\$sigil\{__PACKAGE__.'::$plain'}";
    return scalar compile_in($see, LAX . "\\$name == $namesake ? __PACKAGE__ : undef");
}

# About how much a value holds: elements, or characters of a text. Not asked of objects and of what is tied,
# which might run code of the user's.
my sub size_of {
    my ($reference) = @_;
    return 0 if defined builtin::blessed($reference);
    my $kind = builtin::reftype($reference);
    return tied @$reference ? 0 : scalar @$reference if $kind eq 'ARRAY';
    return tied %$reference ? 0 : scalar %$reference if $kind eq 'HASH';
    return tied $$reference ? 0 : length $$reference // 0 if $kind eq 'SCALAR';
    return 0;
}

# The same of variables of the scope that is about to become the outer one, and of what they refer to.
my sub weight_of {
    my (@names) = @_;
    return 0 if !@names;
    my $weight = 0;
    for my $reference (compile_in($scope{compile}, LAX . '(' . mention(@names) . ')')) {
        my $inner = builtin::reftype($reference) eq 'REF' && !tied $$reference ? $$reference : $reference;
        $weight += size_of($inner);
    }
    return $weight;
}

# Called by the hook with a closure that compiles in the user's scope.
my sub keep_scope {
    my ($see) = @_;
    local ($@, $SIG{__DIE__}, $SIG{__WARN__});
    $SIG{__WARN__} = sub { };
    my %package_of = %{ $scope{package_of} };
    my @fresh = lexical($see, grep { $candidates->{$_}{my} } sort keys %$candidates);
    delete @package_of{@fresh};
    for my $name (grep { $candidates->{$_}{our} } sort keys %$candidates) {
        next if !is_visible($see, $name);
        my $package = package_behind($see, $name) // next;
        $package_of{$name} = $package;
        push @fresh, $name;
    }
    my %seen;
    my @names = grep { !$seen{$_}++ } @{ $scope{names} }, @fresh;
    my $compile = compile_in($see, closure_over(@fresh)) or return;
    my %old = map { $_ => 1 } @{ $scope{names} };
    my $hidden = weight_of(grep { $old{$_} && !/\A&/ } @fresh);
    $next = { compile => $compile, names => \@names, package_of => \%package_of, hidden => $hidden };
    return;
}

# Called by the first statement of the user's code: it has been compiled, so its scope counts.
my sub adopt_scope {
    @scope{qw(compile names package_of)} = @$next{qw(compile names package_of)} if $next;
    if ($next) {
        $scope{nested}++;
        $scope{hidden} += $next->{hidden};
    }
    undef $next;
    return;
}

my @references;

# Make the scope anew, flat: the same variables, aliased into a scope with the session's pragmas and package.
my sub flatten_scope {
    local ($@, $SIG{__DIE__}, $SIG{__WARN__});
    $SIG{__WARN__} = sub { };
    my @names = @{ $scope{names} };
    my $mentioned = mention(@names);
    my ($package, @found) = compile_in($scope{compile},
        "BEGIN { Torpor::remember_pragmas('session') } " . LAX . "(__PACKAGE__, $mentioned)");
    return if !defined $package || @found != @names;
    @references = @found;
    my @declarations;
    for my $index (0 .. $#names) {
        my ($name, $behind) = ($names[$index], $scope{package_of}{ $names[$index] });
        my ($plain) = $name =~ /(\w+)/;
        push @declarations, defined $behind ? "package $behind; our $name;"
            : $name =~ /\A&/ ? "my sub $plain; \\&$plain = Torpor::reference($index);"
            : "\\my $name = Torpor::reference($index);";
    }
    my $flat = compile_in(\&Torpor::compile_in_empty_scope, LAX . "@declarations "
        . "package $package; BEGIN { Torpor::set_pragmas('session') }" . closure_over(@names));
    @references = ();
    return if !$flat;
    @scope{qw(compile nested hidden)} = ($flat, 0, 0);
    return;
}

# The scope of a new context: a script's, with what `perl -E` adds.
my sub first_scope {
    Torpor::compile_in_empty_scope(
        "no strict; no warnings; use utf8; use feature qw(refaliasing);"
        . "BEGIN { Torpor::remember_pragmas('lax') }"
        . "use strict 'vars'; BEGIN { Torpor::remember_pragmas('strict') }");
    $scope{compile} = Torpor::compile_in_empty_scope(
        'use utf8; use feature qw(say state fc current_sub isa);' . closure_over());
    return;
}
