# The scope of a context: each execution is compiled inside the one that the execution before it left behind,
# so that its `my` variables, pragmas and package go on.
#
# A scope is a closure that compiles its argument. The hook at the end of the user's code makes the next one,
# at compile time, when all declarations of that code are visible: a closure over every name that was. Scopes
# nest one in another, and looking up a name would walk through all of them. Every so often the scope is made
# anew, flat.
use constant MOST_NESTED => 16;

my %scope = (
    compile => undef,
    names => [],
    # Lexical names that stand for package variables -> their package.
    package_of => {},
    nested => 0,
);
# Between the compilation of code and its first statement: what the scope will be if it gets so far.
my $next;
my @candidates;

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

# Compile and run a piece of code in a scope. Perl takes it for text, not for bytes, when it is kept as text
# is.
my sub compile_in {
    my ($compile, $code) = @_;
    utf8::upgrade($code);
    return $compile->($code);
}

# References to all of the names: mentioning them makes a closure hold them.
my sub mention {
    return join ',', map { "\\$_" } @_;
}

# The code of a closure over `@names`. It takes its pragmas and its package from where it is compiled.
my sub closure_over {
    my $mentioned = mention(@_);
    return "\n#line 1 \"${\OWN_FILE}\"\nsub { if (0) { my \@mentioned = ($mentioned) } eval CORE::shift }";
}

my sub is_visible {
    my ($see, @names) = @_;
    my $mentioned = mention(@names);
    return !!compile_in($see, STRICT . "sub { ($mentioned) }; 1");
}

# Whether a subroutine of this name is lexical: its package's namesake is another one.
my sub is_lexical_sub {
    my ($see, $name) = @_;
    my ($plain) = $name =~ /(\w+)/;
    return !!compile_in($see, LAX . "\\&$plain != \\&{__PACKAGE__.'::$plain'}");
}

# Of the candidates, those that the compiler sees where the hook stands.
my sub visible {
    my ($see, @names) = @_;
    my @subs = grep { is_lexical_sub($see, $_) } grep { /\A&/ } @names;
    my @variables = grep { !/\A&/ } @names;
    @variables = grep { is_visible($see, $_) } @variables if @variables && !is_visible($see, @variables);
    return (@variables, @subs);
}

# The package of a name that was declared with `our`, or undef.
my sub package_behind {
    my ($see, $name) = @_;
    my ($sigil, $plain) = $name =~ /\A(.)(\w+)/;
    return undef if $sigil eq '&';
    my $namesake = "\\$sigil\{__PACKAGE__.'::$plain'}";
    return scalar compile_in($see, LAX . "\\$name == $namesake ? __PACKAGE__ : undef");
}

# Called by the hook with a closure that compiles in the user's scope.
my sub keep_scope {
    my ($see) = @_;
    local ($@, $SIG{__DIE__}, $SIG{__WARN__});
    $SIG{__WARN__} = sub { };
    my %package_of = %{ $scope{package_of} };
    my @fresh = visible($see, @candidates);
    for my $name (@fresh) {
        my $package = package_behind($see, $name);
        if (defined $package) { $package_of{$name} = $package }
        else { delete $package_of{$name} }
    }
    my %seen;
    my @names = grep { !$seen{$_}++ } @{ $scope{names} }, @fresh;
    my $compile = compile_in($see, closure_over(@names)) or return;
    $next = { compile => $compile, names => \@names, package_of => \%package_of };
    return;
}

# Called by the first statement of the user's code: it has been compiled, so its scope counts.
my sub adopt_scope {
    @scope{qw(compile names package_of)} = @$next{qw(compile names package_of)} if $next;
    $scope{nested}++ if $next;
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
    @scope{qw(compile nested)} = ($flat, 0);
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
