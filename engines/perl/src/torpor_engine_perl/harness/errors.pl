# Turns what was thrown into an error frame: name, message, the user's frames, the line.
#
# Perl keeps no stack with an exception, so a handler of `die` looks at it. A handler of the user's takes its
# place; then the message alone tells where.
use constant {
    # Frames that are looked at and kept, from the innermost on.
    MOST_FRAMES => 60,
    # Code may throw and catch all the time, and looking costs far more than throwing: of so many errors of an
    # execution all frames are noted, of so many the place, of the rest nothing.
    ERRORS_WITH_FRAMES => 300,
    ERRORS_WITH_PLACE => 1_000,
    # Of equal frames in a row, as in a recursion, so many are told.
    EQUAL_FRAMES => 3,
    # How much of an exception's content is told where it has no text of its own.
    CONTENT_CHARS => 2_000,
};

# What was thrown last, and where: [file, line], then [file, line, sub] for each call that led there.
my ($thrown, @thrown_from);
my $errors = 0;

my sub note_origin {
    return if ++$errors > ERRORS_WITH_PLACE;
    my ($error) = @_;
    ($thrown, @thrown_from) = ($error);
    my $level = 0;
    my $most = $errors > ERRORS_WITH_FRAMES ? 0 : MOST_FRAMES;
    while (my (undef, $file, $line, $sub) = caller $level) {
        # From the harness's first own frame on, there are only its own.
        last if index($file, OWN_FILE) == 0 || $level > $most;
        push @thrown_from, $level ? [$file, $line, $sub] : [$file, $line] if index($sub, 'Carp::') != 0;
        $level++;
    }
    return;
}

my sub class_of {
    my ($error) = @_;
    my $class = builtin::blessed($error);
    return defined $class ? $class : builtin::reftype($error);
}

# The text of an object that has one: by its overloaded stringification, or by its method `message`.
my sub own_text {
    use overloading;
    my ($object) = @_;
    return undef if !defined builtin::blessed($object);
    my $text = eval {
        local $SIG{__DIE__};
        my $convert = $find_method->($object, '(""');
        my $method = $convert ? undef : $find_method->($object, 'message');
        $convert ? "$object" : $method ? $method->($object) : undef;
    };
    return defined $text && !ref $text && $text ne '' ? $text : undef;
}

my sub message_of {
    my ($error) = @_;
    my $text = ref $error ? own_text($error) // (literal_of($error, CONTENT_CHARS))[0] : "$error";
    $text =~ s/\s+\z//;
    return $text;
}

# Where a message says that it comes from: (file, line).
my sub place_in {
    my ($message, $cell) = @_;
    return ($1, $2) if $message =~ / at (\Q$cell\E) line ([0-9]+)/;
    return ($1, $2) if $message =~ /.* at (.+?) line ([0-9]+)\.?$/m;
    return ();
}

my sub frame_lines {
    my (@told, $last, $equal);
    for my $call (@thrown_from[1 .. $#thrown_from]) {
        my ($file, $line, $sub) = @$call;
        my $text = "\t" . ($sub eq '(eval)' ? 'eval {...}' : $sub) . " called at $file line $line";
        if (defined $last && $last eq $text) { $equal++ }
        else { ($last, $equal) = ($text, 1) }
        if ($equal <= EQUAL_FRAMES) { push @told, $text }
        elsif ($equal == EQUAL_FRAMES + 1) { push @told, "\t... and so on ..." }
    }
    return @told;
}

# Of code that was never run: what the compiler says, without what it says about the harness's hook.
my sub compiler_message {
    my ($message, $cell, $last_line) = @_;
    $message =~ s/^BEGIN not safe after errors.*\n?//mg;
    $message =~ s/(at \Q$cell\E line )([0-9]+)/$1 . ($2 > $last_line ? $last_line : $2)/ge;
    $message =~ s/, near "[^"]*?(?:=pod\n|\bTorpor::|;BEGIN\{)[^"]*"/, at EOF/g;
    $message =~ s/\s+\z//;
    return $message;
}

# `Carp` has told them already.
my sub has_frames {
    my ($message) = @_;
    return $message =~ /^\t.* called at .* line [0-9]+/m;
}

my sub same_thrown {
    my ($error) = @_;
    return 0 if !defined $thrown || ref $thrown ne ref $error;
    return ref $error ? builtin::refaddr($thrown) == builtin::refaddr($error) : $thrown eq $error;
}

# `$run` tells of the execution: cell, last_line, started.
my sub describe_error {
    my ($error, $run, $limits) = @_;
    my $cell = $run->{cell};
    my $message = message_of($error);
    my $name = ref $error ? class_of($error) : $run->{started} ? 'PerlError' : 'CompileError';
    $message = compiler_message($message, $cell, $run->{last_line}) if !$run->{started};
    my @places = same_thrown($error) && $run->{started} ? map { [@$_[0, 1]] } @thrown_from : ();
    push @places, [place_in($message, $cell)] if !@places;
    my ($line) = map { $_->[1] } grep { defined $_->[0] && $_->[0] eq $cell } @places;
    my @traceback = split /\n/, $message;
    if ($run->{started} && same_thrown($error)) {
        my ($file, $at) = @{ $thrown_from[0] // [] };
        # What was thrown with a line end, or as an object, does not say where.
        my $says_where = !@traceback || $message =~ / line [0-9]+/;
        $traceback[-1] .= " (thrown at $file line $at)" if defined $file && !$says_where;
        push @traceback, frame_lines() if !has_frames($message);
    }
    my $most = $limits->{messageChars};
    return error_frame(
        name => cut_characters($name, $most),
        message => cut_characters($message, $most),
        traceback => [map { cut_characters($_, $most) } cut_lines($limits->{tracebackLines}, @traceback)],
        line => $line,
    );
}

my sub forget_thrown {
    ($thrown, @thrown_from) = ();
    $errors = 0;
    return;
}
