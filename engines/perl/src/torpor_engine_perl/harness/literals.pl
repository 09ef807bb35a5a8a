# The text of a value: Perl's own notation, in one line where that is short, indented where it is not.
#
# Never runs user code, never changes the value (a number stays a number), and ends: what is nested too
# deeply, or too large, is cut.
use constant {
    LINE_WIDTH => 80,
    INDENT => 2,
    TEXT_DEPTH => 100,
};

my %named_escape = ("\n" => '\\n', "\r" => '\\r', "\t" => '\\t', "\e" => '\\e', "\0" => '\\0', "\a" => '\\a', "\f" => '\\f',
    '"' => '\\"', '\\' => '\\\\', '$' => '\\$', '@' => '\\@');

my sub string_literal {
    my ($text) = @_;
    if ($text =~ /[^\x20-\x7E\xA0-\x{D7FF}\x{E000}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{10FFFF}]/) {
        $text =~ s/(["\\\$\@]|[^\x20-\x7E\xA0-\x{D7FF}\x{E000}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{10FFFF}])
                  /$named_escape{$1} \/\/ sprintf '\\x{%x}', ord $1/gex;
        $text =~ s/\\0(?=[0-7])/\\x{0}/g;
        return qq("$text");
    }
    $text =~ s/(['\\])/\\$1/g;
    return "'$text'";
}

my sub scalar_literal {
    my ($value) = @_;
    return 'undef' if !defined $value;
    return string_literal(builtin::reftype(\$value) eq 'GLOB' ? "$value" : $value) if !builtin::created_as_number($value);
    my $copy = $value;
    return "$copy";
}

my sub key_literal {
    my ($key) = @_;
    return $key =~ /\A(?:[A-Za-z_]\w*|0|[1-9][0-9]{0,8})\z/a ? $key : string_literal($key);
}

# Opening, parts and closing, in one line or in several.
my sub layout {
    my ($open, $parts, $close, $depth) = @_;
    return $open . $close if !@$parts;
    my $length = length($open) + length($close) + INDENT * $depth;
    my $broken = 0;
    for my $part (@$parts) {
        $length += length($part) + 2;
        $broken = 1, last if $length > LINE_WIDTH || index($part, "\n") >= 0;
    }
    return $open . join(', ', @$parts) . $close if !$broken;
    my $margin = ' ' x (INDENT * ($depth + 1));
    return "$open\n" . join('', map { "$margin$_,\n" } @$parts) . ' ' x (INDENT * $depth) . $close;
}

my sub code_literal {
    my ($code) = @_;
    my $name = $sub_name->($code) // '';
    return $name eq '' || $name =~ /::__ANON__\z/ ? 'sub { ... }' : "\\&$name";
}

my sub pattern_literal {
    my ($pattern) = @_;
    my ($text, $flags) = re::regexp_pattern($pattern);
    # Characters are matched by their code points anyway.
    ($flags //= '') =~ s/u//;
    $text =~ s{(?<!\\)((?:\\\\)*)/}{$1\\/}g;
    return "qr/$text/$flags";
}

my %brackets = (ARRAY => ['[', ']'], HASH => ['{', '}'], '@' => ['(', ')'], '%' => ['(', ')']);

# `$state` is { inside, left }: the containers that we are inside of, and how many characters may still come.
my sub literal {
    my ($value, $depth, $state, $bare) = @_;
    my $literal = __SUB__;
    return '...' if $state->{left} < 0;
    if (!ref $value) {
        my $text = scalar_literal($value);
        $state->{left} -= length $text;
        return $text;
    }
    my ($kind, $address, $class) = (builtin::reftype($value), builtin::refaddr($value), builtin::blessed($value));
    my ($open, $close) = @{ $brackets{ $bare // $kind } // ['', ''] };
    return pattern_literal($value) if $kind eq 'REGEXP' && $class eq 'Regexp';
    ($open, $close) = ("bless($open", "$close, " . string_literal($class) . ')') if defined $class;
    return $open . '<cycle>' . $close if $state->{inside}{$address};
    return $open . '...' . $close if $depth > TEXT_DEPTH;
    $state->{left} -= length($open) + length($close) + 2;
    local $state->{inside}{$address} = 1;
    if ($kind eq 'ARRAY') {
        my @parts;
        for my $index (0 .. $#$value) {
            last if $state->{left} < 0;
            push @parts, $literal->($value->[$index], $depth + 1, $state);
        }
        push @parts, '...' if $state->{left} < 0;
        return layout($open, \@parts, $close, $depth);
    }
    if ($kind eq 'HASH') {
        my @parts;
        for my $key (sort keys %$value) {
            last if $state->{left} < 0;
            $state->{left} -= length $key;
            push @parts, key_literal($key) . ' => ' . $literal->($value->{$key}, $depth + 1, $state);
        }
        push @parts, '...' if $state->{left} < 0;
        return layout($open, \@parts, $close, $depth);
    }
    my $body = $kind eq 'CODE' ? code_literal($value)
        : $kind eq 'SCALAR' || $kind eq 'REF' || $kind eq 'VSTRING' || $kind eq 'LVALUE'
        ? '\\' . $literal->($$value, $depth, $state)
        : $kind eq 'GLOB' ? '\\' . *$value
        # Files, formats, and objects of the feature `class`, which nobody can look into.
        : sprintf '%s(0x%x)', $kind, $address;
    return $open . $body . $close;
}

# The text of anything, of about `$most` characters at most. `$bare` is '@' or '%' for a list or a hash itself.
my sub literal_of {
    my ($value, $most, $bare) = @_;
    return literal($value, 0, { inside => {}, left => $most }, $bare);
}
