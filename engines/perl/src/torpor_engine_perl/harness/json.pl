# JSON: reads requests, and writes what is asked for as text. Knows nothing of the protocol.
#
# A value that JSON has no form for raises; the caller gives such values as text alone.
my %short_escape = ('"' => '"', '\\' => '\\', '/' => '/', b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");

my sub unescape {
    my ($text) = @_;
    $text =~ s{\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})}
              {chr(0x10000 + ((hex($1) & 0x3FF) << 10 | hex($2) & 0x3FF))}ge;
    $text =~ s{\\(?:u([0-9a-fA-F]{4})|(.))}{defined $1 ? chr hex $1 : $short_escape{$2}}ge;
    return $text;
}

# For what the host writes, not for anybody's JSON: it is not checked.
my sub parse {
    my ($text) = @_;
    my ($value, @inside, $key);
    # Cut into tokens at once: of many small matches, each costs as much as a hundred steps of Perl.
    for my $token ($text =~ /"(?:[^"\\]++|\\.)*+"|[{}\[\]]|-?[0-9][0-9.eE+-]*|true|false|null/g) {
        my $first = substr $token, 0, 1;
        if ($first eq '}' || $first eq ']') { $value = pop @inside; next }
        my $new = $first eq '"' ? substr $token, 1, -1
            : $first eq '{' ? {}
            : $first eq '[' ? []
            : $first eq 't' ? !!1
            : $first eq 'f' ? !!0
            : $first eq 'n' ? undef
            : 0 + $token;
        $new = unescape($new) if $first eq '"' && index($new, '\\') >= 0;
        if (!@inside) { }
        elsif (ref $inside[-1] eq 'ARRAY') { push @{ $inside[-1] }, $new }
        elsif (!defined $key) { $key = $new; next }
        else { $inside[-1]{$key} = $new; undef $key }
        if ($first eq '{' || $first eq '[') { push @inside, $new }
        else { $value = $new }
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
