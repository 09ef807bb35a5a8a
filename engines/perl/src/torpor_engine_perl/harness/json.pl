# JSON: reads requests, and writes what is asked for as text. Knows nothing of the protocol.
#
# A value that JSON has no form for raises; the caller gives such values as text alone.
my %short_escape = ('"' => '"', '\\' => '\\', '/' => '/', 'b' => "\b", 'f' => "\f", 'n' => "\n", 'r' => "\r", 't' => "\t");

my sub unescape {
    my ($text) = @_;
    $text =~ s{\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})}
              {chr(0x10000 + ((hex($1) & 0x3FF) << 10 | hex($2) & 0x3FF))}ge;
    $text =~ s{\\(?:u([0-9a-fA-F]{4})|(.))}{defined $1 ? chr hex $1 : $short_escape{$2}}ge;
    return $text;
}

# The next value of `$_[0]` at its `pos`. For what the host writes, not for anybody's JSON: it is not checked.
my sub parse {
    my $parse = __SUB__;
    $_[0] =~ /\G\s*/gc;
    if ($_[0] =~ /\G"((?:[^"\\]++|\\.)*+)"/gc) {
        my $text = $1;
        return index($text, '\\') < 0 ? $text : unescape($text);
    }
    return 0 + $1 if $_[0] =~ /\G(-?[0-9][0-9.eE+-]*)/gc;
    if ($_[0] =~ /\G\{\s*/gc) {
        my %object;
        while ($_[0] !~ /\G\s*\}/gc) {
            my $key = $parse->($_[0]);
            $_[0] =~ /\G\s*:/gc;
            $object{$key} = $parse->($_[0]);
            $_[0] =~ /\G\s*,/gc;
        }
        return \%object;
    }
    if ($_[0] =~ /\G\[\s*/gc) {
        my @array;
        while ($_[0] !~ /\G\s*\]/gc) {
            push @array, $parse->($_[0]);
            $_[0] =~ /\G\s*,/gc;
        }
        return \@array;
    }
    return $1 eq 'true' ? !!1 : $1 eq 'false' ? !!0 : undef if $_[0] =~ /\G(true|false|null)/gc;
    die "not JSON\n";
}

my %long_escape = ('"' => '\\"', '\\' => '\\\\', "\n" => '\\n', "\r" => '\\r', "\t" => '\\t');

my sub escape {
    my ($char) = @_;
    my $code = ord $char;
    return sprintf '\\u%04x', $code if $code < 0x10000;
    $code -= 0x10000;
    return sprintf '\\u%04x\\u%04x', 0xD800 | $code >> 10, 0xDC00 | $code & 0x3FF;
}

# A string in ASCII. Code points beyond Unicode become U+FFFD: nothing else could be sent.
my sub quote {
    my ($text) = @_;
    $text =~ s/[^\x{0}-\x{10FFFF}]/\x{FFFD}/g;
    $text =~ s/([^ !#-\[\]-~])/$long_escape{$1} \/\/ escape($1)/ge;
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

# Larger containers are not looked at in full: that would take longer than the user's own code.
use constant MOST_VALUES => 200_000;

# A container, `$_[1]` deep, as JSON; `$_[2]` counts the values so far and `$_[3]` knows those that we are inside of.
my sub container_json {
    my ($value, $depth, $count, $inside) = @_;
    my $container_json = __SUB__;
    my $text = sub {
        my ($inner) = @_;
        return 'null' if !defined $inner;
        die "too large\n" if ++$$count > MOST_VALUES;
        if (!ref $inner) {
            return $inner ? 'true' : 'false' if builtin::is_bool($inner);
            return number_json($inner) if builtin::created_as_number($inner);
            die "not JSON\n" if $inner =~ /[^\x{0}-\x{10FFFF}]/;
            return quote($inner);
        }
        return $container_json->($inner, $depth + 1, $count, $inside);
    };
    my ($kind, $address) = (builtin::reftype($value), builtin::refaddr($value));
    if (defined(my $class = builtin::blessed($value))) {
        return $$value ? 'true' : 'false' if $class eq 'JSON::PP::Boolean' && $kind eq 'SCALAR';
        die "not JSON\n";
    }
    # As JSON::PP has it.
    return $$value ? 'true' : 'false' if $kind eq 'SCALAR' && defined $$value && !ref $$value && $$value =~ /\A[01]\z/;
    die "not JSON\n" if $kind ne 'ARRAY' && $kind ne 'HASH' || $depth > JSON_DEPTH || $inside->{$address};
    $inside->{$address} = 1;
    my $json = $kind eq 'ARRAY'
        ? '[' . join(',', map { $text->($_) } @$value) . ']'
        : '{' . join(',', map { quote($_) . ':' . $text->($value->{$_}) } sort keys %$value) . '}';
    delete $inside->{$address};
    return $json;
}

# JSON of an array or a hash, or undef if it is not JSON.
my sub json_of {
    my ($value) = @_;
    my $count = 0;
    return eval { container_json($value, 1, \$count, {}) };
}
