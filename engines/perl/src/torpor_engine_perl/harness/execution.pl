# Runs one piece of code as a cell of a REPL: compiled in the scope that the last one left, its last statement
# is the value. Gives back what happened.

# A statement that is one whole array or hash, by name or by reference: shown as such, not as a list.
my $aggregate = qr/\A([\@%])(?:\$*(?:::)?\w+(?:::\w+)*|\$*(\{(?:[^{}]++|(?2))*+\}))\z/;
my $assigned_aggregate = qr/\A(?:(?:my|our|local|state)\s+)?(([\@%])\$*(?:::)?\w+(?:::\w+)*)\s*=(?![=~>])/;
# As a statement of a script, this reads one line or one name, not all that are left.
my $reads_one = qr/\A(?:<\$?[\w:]*>\z|(?:readline|readdir)\b)/;
# Statements that have no value worth telling: declarations, compound statements, output.
my %without_value = map { $_ => 1 } qw(use no sub package class method field format print printf say);

# The compiler calls it where it stands and keeps what it sees. It must not follow the statement whose value
# is wanted: Perl would take that for a statement in void context.
my $keeping_hook = 'BEGIN { Torpor::keep(sub { eval CORE::shift }) } ';
# Code without any of these words leaves the scope as it was, and needs no hook.
my $changes_scope = qr/
    \b(?:my|our|state|use|no|package|class|BEGIN|UNITCHECK|CHECK|INIT|import|unimport)\b | \^[HW] | \{\^
/x;
# Ends a piece of POD if the code is in one, and is nothing if it is not.
my $end_of_pod = "\n;\n\n=pod\n\n=cut\n\n";

# The variables of a statement that begins by declaring them, as an expression.
my sub declared {
    my ($statement) = @_;
    return $statement =~ /\A(?:my|our|state|local)\s+(\$\w+|\([\$\@%\w\s,]*\))\s*=(?![=~])/ ? $1 : undef;
}

# How the code is to be run: { source, shows, bare }. `bare` is '@' or '%' for a reference to one of those.
my sub plan {
    my ($code, $scanned, $hook) = @_;
    my ($start, $end, $keyword) = @$scanned{qw(start end keyword)};
    my %whole = (source => "$code$end_of_pod$hook", shows => 0);
    return \%whole if !defined $start || $scanned->{modified};
    return \%whole if $without_value{$keyword} || $compound{$keyword};
    my $statement = substr($code, $start, $end - $start) =~ s/\s+\z//r;
    # What was assigned to a whole array or hash is not told, it may be a lot: the number of elements is.
    my $assigned = $statement =~ $assigned_aggregate ? "CORE::scalar($1)" : declared($statement);
    return { source => "$code$end_of_pod$hook$assigned", shows => 1 } if defined $assigned;
    return \%whole if $scanned->{declares};
    my $prefix = $statement =~ $aggregate ? '\\' : $statement =~ $reads_one ? 'CORE::scalar ' : '';
    return {
        source => substr($code, 0, $start) . $hook . $prefix . substr($code, $start),
        shows => 1,
        bare => $prefix eq '\\' ? $1 : undef,
        # If it is not what it was taken for.
        otherwise => \%whole,
    };
}

# Thrown by the first statement when the hook did not reach the compiler: it landed inside some text.
my $misplaced = \'misplaced';
my ($started, $hook_expected);

my sub begin_code {
    die $misplaced if $hook_expected && !$next;
    $started = 1;
    adopt_scope();
    # What this build lacks fails without giving a reason (a pipe, a duplicated handle): this one is then left.
    $! = $not_implemented;
    return;
}

# Runs code in the scope. No loop may be around this: a user's `last` outside of loops would leave it.
my sub run_source {
    my ($source) = @_;
    my $compile = $scope{compile};
    undef $next;
    ($started, $exit_status) = (0, undef);
    $@ = '';
    my @values = $compile->($source);
    return ($@, @values);
TORPOR_EXIT:
    return ('');
}

my sub run_planned {
    my ($plan, $cell, $last_line) = @_;
    my $source = qq(Torpor::started();\n#line 1 "$cell"\n$plan->{source});
    utf8::upgrade($source);
    my $users = $SIG{__DIE__};
    my $free = !defined $users || !ref $users && ($users eq '' || $users eq 'DEFAULT');
    $SIG{__DIE__} = \&Torpor::thrown if $free;
    my ($error, @values) = run_source($source);
    my $left = $SIG{__DIE__};
    delete $SIG{__DIE__} if ref $left && $left == \&Torpor::thrown;
    return ($error, @values);
}

# Gives `__DATA__` to be read, in the package that the code begins in.
my sub offer_data {
    my ($data) = @_;
    my ($package) = compile_in($scope{compile}, '__PACKAGE__');
    no strict 'refs';
    close *{"${package}::DATA"} if defined *{"${package}::DATA"}{IO};
    utf8::encode($data);
    open *{"${package}::DATA"}, '<:utf8', \$data;
    return;
}

# (error or '', run, values). `run` tells of it: cell, last_line, started, shows, bare.
my sub execute {
    my ($code, $count) = @_;
    my $cell = "<cell $count>";
    my $scanned = scan_end($code);
    offer_data($scanned->{data}) if defined $scanned->{data};
    $code = substr $code, 0, $scanned->{code_end};
    my $last_line = 1 + ($code =~ tr/\n//) - ($code =~ /\n\z/ ? 1 : 0);
    $hook_expected = $code =~ $changes_scope;
    $candidates = $hook_expected ? declarations($code) : {};
    my $hook = $hook_expected ? $keeping_hook : '';
    my $plan = plan($code, $scanned, $hook);
    forget_thrown();
    my ($error, @values) = run_planned($plan, $cell, $last_line);
    if (!$started && $scanned->{quick} && (ref $error || $error ne '')) {
        my $careful = plan($code, scan($code), $hook);
        if ($careful->{source} ne $plan->{source}) {
            $plan = $careful;
            ($error, @values) = run_planned($plan, $cell, $last_line);
        }
    }
    if (!$started && ref $error && builtin::refaddr($error) == builtin::refaddr($misplaced)) {
        $hook_expected = 0;
        $plan = $plan->{otherwise} // $plan;
        ($error, @values) = run_planned($plan, $cell, $last_line);
    }
    my $run = { cell => $cell, last_line => $last_line || 1, started => $started, %$plan{qw(shows bare)} };
    return ($error, $run, \@values);
}
