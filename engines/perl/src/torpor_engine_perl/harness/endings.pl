# What a script does to processes, its own first of all: `exit` ends the execution and not the context, and what
# needs another process says that there is none.
#
# These stand in `CORE::GLOBAL`, so they are what user code calls; `CORE::exit` past them ends the instance.
my $exit_status;

# Leaves everything that is running by a jump to the label in `execution.pl`. Perl cannot jump out of a sort block,
# a tied variable's method or a destructor; there an exception does it, which then must not be caught.
my sub leave_execution {
    my ($status) = @_;
    $exit_status = ($status // 0) & 0xFF;
    goto TORPOR_EXIT;
}

my sub exit_by_exception {
    my ($status) = @_;
    eval { leave_execution($status) };
    die bless { status => $exit_status }, 'Torpor::Exit';
}

my sub no_processes {
    my ($what) = @_;
    my (undef, $file, $line) = caller 1;
    warn "Can't $what: there are no other processes in the sandbox at $file line $line.\n";
    $! = Errno::ENOSYS();
    $? = -1;
    return;
}

my sub install_endings {
    require Errno;
    no warnings 'redefine';
    *CORE::GLOBAL::exit = sub (;$) { exit_by_exception($_[0]) };
    *CORE::GLOBAL::system = sub { no_processes('run a command'); -1 };
    *CORE::GLOBAL::exec = sub { no_processes('run a command'); 0 };
    *CORE::GLOBAL::readpipe = sub { no_processes('run a command'); wantarray ? () : undef };
    *CORE::GLOBAL::fork = sub () { no_processes('fork'); undef };
    *CORE::GLOBAL::kill = sub { no_processes('send a signal'); 0 };
    return;
}
