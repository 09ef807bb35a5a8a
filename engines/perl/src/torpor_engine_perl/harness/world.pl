# The surroundings of an execution: environment, folder, time, randomness.
use constant {
    FALLBACK_FOLDER => '/workspace',
    # Perl's generator takes 32 bits as its seed; so many numbers at most are drawn and thrown away besides,
    # as its inner state has more bits.
    SKIPPED_NUMBERS => 256,
};

# `%ENV` is a plain hash here, not the one that writes into C's environment: there are no processes to inherit
# it, and its values stay text.
my %environment;

my sub set_environment {
    my ($wanted) = @_;
    no strict 'refs';
    *{'main::ENV'} = \%environment if \%{'main::ENV'} != \%environment;
    for my $name (keys %environment) {
        delete $environment{$name} if !exists $wanted->{$name};
    }
    for my $name (keys %$wanted) {
        my $value = $environment{$name};
        $environment{$name} = $wanted->{$name} if !defined $value || ref $value || $value ne $wanted->{$name};
    }
    return;
}

my sub enter_folder {
    my ($folder) = @_;
    utf8::encode($folder);
    chdir $folder or chdir FALLBACK_FOLDER;
    return;
}

my sub current_folder {
    my $folder = $get_folder->();
    return FALLBACK_FOLDER if !defined $folder || $folder eq '';
    utf8::decode($folder);
    return $folder;
}

my sub reseed {
    my ($entropy) = @_;
    return if !defined $entropy;
    my @words = map { hex } $entropy =~ /([0-9a-f]{8})/gi;
    my $seed = 0;
    $seed = ($seed * 31 ^ $_) & 0xFFFF_FFFF for @words;
    srand $seed;
    rand for 1 .. $words[0] % SKIPPED_NUMBERS;
    return;
}

my sub enter_world {
    my ($request) = @_;
    set_environment($request->{env});
    enter_folder($request->{cwd});
    reseed($request->{entropy});
    $^T = time;
    return;
}
