# The standard streams: UTF-8 text over descriptors 0, 1 and 2, whole again for every execution.
#
# STDOUT is written with every `print`, so that the host sees both streams in the order in which they were
# written. A user may change that (`$|`), redirect a stream or close it: what is left of it is put right at
# the next execution.
use constant INPUT_CHUNK => 65_536;

my ($stdin, $stdout, $stderr) = (*STDIN{IO}, *STDOUT{IO}, *STDERR{IO});

my %mode = (0 => '<&=', 1 => '>&=', 2 => '>&=');

# Put a stream on its descriptor again.
my sub reopen {
    my ($handle, $descriptor) = @_;
    open $handle, $mode{$descriptor}, $descriptor or return;
    binmode $handle, ':utf8';
    return;
}

# Whether the stream is on its descriptor. One that the user has tied is left alone: to ask it is to call it.
my sub is_whole {
    my ($handle, $descriptor) = @_;
    return 1 if tied *$handle;
    my $found = fileno $handle;
    return defined $found && $found == $descriptor;
}

my sub autoflush {
    my ($handle) = @_;
    my $selected = select $handle;
    $| = 1;
    select $selected;
    return;
}

# The handles named STDIN, STDOUT and STDERR are these, whatever was assigned to the names; a `tie` stays.
my sub restore_names {
    no strict 'refs';
    for my $one (['main::STDIN', $stdin], ['main::STDOUT', $stdout], ['main::STDERR', $stderr]) {
        my ($name, $handle) = @$one;
        next if (*$name{IO} // 0) == $handle;
        # Otherwise it would be assigned to whatever name it was made another word for.
        undef *$name;
        *$name = $handle;
        # Perl may have selected the other one's handle with it.
        select *$name if $handle == $stdout;
    }
    return;
}

my sub restore_streams {
    restore_names();
    for my $stream ([$stdout, 1], [$stderr, 2]) {
        next if is_whole(@$stream);
        reopen(@$stream);
        autoflush($stream->[0]);
    }
    return;
}

# The input of another execution is not this one's, nor is the end that it came to.
my sub renew_input {
    return if tied *$stdin;
    if (is_whole($stdin, 0)) { $clear_error->($stdin) }
    else { reopen($stdin, 0) }
    return;
}

# What this execution left of its input is in Perl's buffer, which the next one would read first.
my sub drop_input {
    return if tied *$stdin || !is_whole($stdin, 0);
    1 while read $stdin, my $rest, INPUT_CHUNK;
    return;
}

# What the user's own buffering held back.
my sub flush_streams {
    for my $handle ($stdout, $stderr) {
        my $selected = select $handle;
        my $unbuffered = $|;
        # It flushes only when it was not set.
        $| = 0;
        $| = 1;
        $| = $unbuffered;
        select $selected;
    }
    return;
}

my sub first_streams {
    binmode $_, ':utf8' for $stdin, $stdout, $stderr;
    autoflush($_) for $stdout, $stderr;
    return;
}
