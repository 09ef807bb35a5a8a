# JSON: reads requests, and writes what is asked for as text. Knows nothing of the protocol.
#
# A value that JSON has no form for raises; the caller gives such values as text alone.
my %short_escape = ('/' => '/', b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");

# Stand for `\\` and `\"` while a text is cut at its quotes; JSON has no such characters.
use constant {
    BACKSLASH => "\x01",
    QUOTE => "\x02",
};

my sub unescape {
    my ($text) = @_;
    $text =~ s{\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})}
              {chr(0x10000 + ((hex($1) & 0x3FF) << 10 | hex($2) & 0x3FF))}ge if index($text, '\\ud') >= 0;
    $text =~ s{\\(?:u([0-9a-fA-F]{4})|(.))}{defined $1 ? chr hex $1 : $short_escape{$2}}ge;
    $text =~ tr/\x01\x02/\\"/;
    return $text;
}

# For what the host writes, not for anybody's JSON: it is not checked.
my sub parse {
    my ($text) = @_;
    if (index($text, '\\') >= 0) {
        $text =~ s/\\\\/${\BACKSLASH}/g;
        $text =~ s/\\"/${\QUOTE}/g;
    }
    my ($value, @inside, $key);
    my $add = sub {
        my ($new) = @_;
        if (!@inside) { }
        elsif (ref $inside[-1] eq 'ARRAY') { push @{ $inside[-1] }, $new }
        elsif (defined $key) { $inside[-1]{$key} = $new; undef $key }
        else { $key = $new; return }
        if (ref $new) { push @inside, $new }
        else { $value = $new }
    };
    # Cut at the quotes: every second part is a string, between them is little.
    my $is_string = 1;
    for my $part (split /"/, $text) {
        $is_string = !$is_string;
        if ($is_string) { $add->($part =~ tr/\\\x01\x02// ? unescape($part) : $part); next }
        next if $part eq ': ' || $part eq ', ';
        for my $token ($part =~ /[{}\[\]]|-?[0-9][0-9.eE+-]*|[a-z]+/g) {
            if ($token eq '}' || $token eq ']') { $value = pop @inside }
            elsif ($token eq '{') { $add->({}) }
            elsif ($token eq '[') { $add->([]) }
            elsif ($token eq 'true') { $add->(!!1) }
            elsif ($token eq 'false') { $add->(!!0) }
            else { $add->($token eq 'null' ? undef : 0 + $token) }
        }
    }
    return $value;
}

my %long_escape = ('"' => '\\"', '\\' => '\\\\', "\n" => '\\n', "\r" => '\\r', "\t" => '\\t');

# A string, with everything escaped that is not safe to write. Code points beyond Unicode become U+FFFD:
# nothing else could be sent.
my sub quote {
    my ($text) = @_;
    return qq("$text") if $text !~ tr/ !#-[]-~//c;
    $text =~ s{([\x00-\x1F"\\\x7F\x{2028}\x{2029}\x{D800}-\x{DFFF}])}
              {$long_escape{$1} // sprintf '\\u%04x', ord $1}ge;
    $text =~ s/[^\x{0}-\x{10FFFF}]/\x{FFFD}/g;
    return qq("$text");
}

# The shortest digits that give the same number again.
my sub shortest_digits {
    my ($number) = @_;
    for my $digits (15 .. 17) {
        my $text = sprintf "%.${digits}g", $number;
        return $text if $text == $number;
    }
    return "$number";
}

my sub number_json {
    my ($number) = @_;
    my $text = "$number";
    return $text if $text =~ /\A-?[0-9]+\z/;
    $text = shortest_digits($number);
    die "not JSON\n" if $text !~ /\A-?[0-9]/;
    return $text;
}

# The host refuses what is nested deeper than 200; beyond this, values are text alone.
use constant JSON_DEPTH => 150;

# A value that is no container.
my sub plain_json {
    my ($value) = @_;
    return 'null' if !defined $value;
    return $value ? 'true' : 'false' if builtin::is_bool($value);
    return number_json($value) if builtin::created_as_number($value);
    die "not JSON\n" if $value =~ /[^\x{0}-\x{10FFFF}]/;
    return quote($value);
}

# Appends a container, `$depth` deep, to `$_[4]`. `$inside` knows those that we are inside of. Beyond `$most`
# characters it gives up: that would take longer than the user's own code, and more memory.
my sub append_json {
    my ($value, $depth, $inside, $most) = @_;
    my $append_json = __SUB__;
    my ($kind, $address) = (builtin::reftype($value), builtin::refaddr($value));
    if (defined(my $class = builtin::blessed($value))) {
        die "not JSON\n" if $class ne 'JSON::PP::Boolean' || $kind ne 'SCALAR';
        $_[4] .= $$value ? 'true' : 'false';
        return;
    }
    # As JSON::PP has it.
    if ($kind eq 'SCALAR' && defined $$value && !ref $$value && $$value =~ /\A[01]\z/) {
        $_[4] .= $$value ? 'true' : 'false';
        return;
    }
    die "not JSON\n" if $kind ne 'ARRAY' && $kind ne 'HASH' || $depth > JSON_DEPTH || $inside->{$address};
    $inside->{$address} = 1;
    my ($array, $comma) = ($kind eq 'ARRAY', '');
    $_[4] .= $array ? '[' : '{';
    for my $at ($array ? (0 .. $#$value) : sort keys %$value) {
        my $inner = $array ? $value->[$at] : $value->{$at};
        $_[4] .= $array ? $comma : $comma . quote($at) . ':';
        if (ref $inner) { $append_json->($inner, $depth + 1, $inside, $most, $_[4]) }
        # The two usual cases without a call: a small integer, and a text without anything to escape.
        elsif (builtin::created_as_number($inner)) {
            my $is_small = $inner < 1e15 && $inner > -1e15 && $inner == int $inner;
            $_[4] .= $is_small ? 0 + $inner : number_json($inner);
        }
        elsif (defined $inner && !builtin::is_bool($inner) && $inner !~ tr/ !#-[]-~//c) {
            $_[4] .= qq("$inner");
        }
        else { $_[4] .= plain_json($inner) }
        die "too large\n" if length $_[4] > $most;
        $comma = ',';
    }
    $_[4] .= $array ? ']' : '}';
    delete $inside->{$address};
    return;
}

# (JSON of an array or a hash, its size), (undef, size) if that is more than `$most`, or nothing if it is not
# JSON.
my sub json_of {
    my ($value, $most) = @_;
    my $json = '';
    return ($json, length $json) if eval { append_json($value, 1, {}, $most, $json); 1 };
    return $@ eq "too large\n" ? (undef, length $json) : ();
}
