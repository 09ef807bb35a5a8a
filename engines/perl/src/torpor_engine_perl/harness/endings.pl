# What a script does to processes, its own first of all: `exit` ends the execution and not the context, and
# what needs another process says that there is none.
#
# These stand in `CORE::GLOBAL`, so they are what user code calls; `CORE::exit` past them ends the instance.
my $exit_status;

# Leaves everything that is running by a jump to the label in `execution.pl`. Perl cannot jump out of a sort
# block, a tied variable's method or a destructor; there an exception does it, which then must not be caught.
my sub leave_execution {
    my ($status) = @_;
    no warnings 'numeric';
    $exit_status = ($status // 0) & 0xFF;
    goto TORPOR_EXIT;
}

my sub exit_by_exception {
    my ($status) = @_;
    eval { leave_execution($status) };
    die "exit $exit_status\n";
}

my sub no_processes {
    my ($what) = @_;
    my (undef, $file, $line) = CORE::caller 1;
    warn "Can't $what: there are no other processes in the sandbox at $file line $line.\n";
    $! = $not_implemented;
    $? = -1;
    return;
}

# `caller`, blind to the harness's frames: at the top of a cell there is no caller, as at the top of a script.
my sub visible_frame {
    my ($level) = @_;
    # Frames here: this one, and the one that stands for `caller`.
    $level += 2;
    my @frame = CORE::caller(1) eq 'DB' ? do { package DB; CORE::caller($level) } : CORE::caller($level);
    return @frame && index($frame[1], OWN_FILE) != 0 ? @frame : ();
}

my sub install_endings {
    no warnings 'redefine';
    *CORE::GLOBAL::exit = sub (;$) { exit_by_exception($_[0]) };
    *CORE::GLOBAL::caller = sub (;$) {
        my @frame = visible_frame($_[0] // 0) or return;
        return !wantarray ? $frame[0] : @_ ? @frame : @frame[0 .. 2];
    };
    *CORE::GLOBAL::system = sub { no_processes('run a command'); -1 };
    *CORE::GLOBAL::exec = sub { no_processes('run a command'); 0 };
    *CORE::GLOBAL::readpipe = sub { no_processes('run a command'); wantarray ? () : undef };
    *CORE::GLOBAL::fork = sub () { no_processes('fork'); undef };
    *CORE::GLOBAL::kill = sub { no_processes('send a signal'); 0 };
    return;
}
