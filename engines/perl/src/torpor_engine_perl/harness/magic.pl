# Perl's special variables as the harness's code knows them. A user can take the magic from a name, as `undef *1`
# does, and then Perl itself no longer finds it; it is put back after each execution.
my @magic = do {
    no strict 'refs';
    (
        (map { [\*{"main::$_"}, \${"main::$_"}] }
            1 .. 4, '!', '@', '|', ',', '\\', "\cT", "\cH", "\cN",
            "\cWARNING_BITS"),
        (map { [\*{"main::$_"}, \%{"main::$_"}] } 'SIG', "\cH"),
    );
};

my sub keep_magic {
    for my $one (@magic) {
        my ($name, $variable) = @$one;
        my $found = builtin::reftype($variable) eq 'HASH' ? *$name{HASH} : *$name{SCALAR};
        *$name = $variable if !defined $found || $found != $variable;
    }
    return;
}
