# The harness's entry: serves the request on the device. The last file, which starts what the others declare.
#
# The host and the hook in the user's code can only call by name. These names are put back at the end of each
# execution, so that no later one depends on what the user did to them.
my %entry;

my sub keep_names {
    no strict 'refs';
    no warnings 'redefine';
    for my $name (keys %entry) {
        my $full = "Torpor::$name";
        next if defined &$full && \&$full == $entry{$name};
        # It may have been made another word for a name of the user's.
        undef *$full;
        *$full = $entry{$name};
    }
    return;
}

my sub serve_execute {
    my ($request) = @_;
    my $limits = $request->{limits};
    restore_streams();
    renew_input();
    enter_world($request);
    my ($error, $run, $values) = execute($request->{code}, $request->{count});
    keep_magic();
    flush_streams();
    drop_input();
    # What the user's own handlers make of `die` is not for the harness.
    local ($@, $SIG{__DIE__}, $SIG{__WARN__});
    my $status = $exit_status;
    my @frames;
    if (defined $status) {
        my $said = "exit $status";
        push @frames, error_frame(name => 'Exit', message => $said, traceback => [$said]) if $status;
    }
    elsif (ref $error || $error ne '') { push @frames, describe_error($error, $run, $limits) }
    else { push @frames, value_frame($run, $values, $limits->{resultBytes}) }
    my $asked = ref $error || grep { ref } @$values;
    ($error, $run, $values, $exit_status) = ();
    forget_thrown();
    # Showing a value may have run code of the user's too.
    keep_magic() if $asked;
    keep_names();
    flatten_scope() if $scope{nested} >= MOST_NESTED || $scope{hidden} >= MOST_HIDDEN;
    write_frames(@frames, done_frame(current_folder(), $status));
    return;
}

my sub serve_complete {
    my ($request) = @_;
    local ($@, $SIG{__DIE__}, $SIG{__WARN__});
    reseed($request->{entropy});
    my $cursor = $request->{cursor};
    my ($start, @matches) = eval { complete(substr $request->{code}, 0, $cursor) };
    write_frames(completion_frame($start // $cursor, @matches), done_frame(current_folder(), undef));
    return;
}

my sub serve_request {
    my $text = read_request();
    my $request = parse($text);
    if ($request->{op} eq 'complete') { serve_complete($request) }
    else { serve_execute($request) }
    return 1;
}

%entry = (
    serve => \&serve_request,
    keep => \&keep_scope,
    started => \&begin_code,
    thrown => \&note_origin,
    reference => sub { $references[$_[0]] },
    remember_pragmas => \&remember_pragmas,
    set_pragmas => \&set_pragmas,
    compile_in_empty_scope => \&Torpor::compile_in_empty_scope,
);
keep_names();
first_streams();
# Before anything is loaded that calls what these stand for.
install_endings();
unshift @INC, '/torpor/lib';
push @INC, FALLBACK_FOLDER;
preload();
# `croak` tells of the user's frames.
$Carp::Internal{+__PACKAGE__} = 1;
first_scope();
1;
