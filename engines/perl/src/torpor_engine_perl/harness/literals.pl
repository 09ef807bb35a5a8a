# The text of a value: Perl's own notation, in one line where that is short, indented where it is not.
#
# Never runs user code, never changes the value (a number stays a number), and ends: what is nested too
# deeply, or too large, is cut.
use constant {
    LINE_WIDTH => 80,
    INDENT => 2,
    TEXT_DEPTH => 100,
    # What a value counts besides its length: of many small ones, fewer are told.
    VALUE_COST => 40,
};

my %named_escape = (
    "\n" => '\\n', "\r" => '\\r', "\t" => '\\t', "\e" => '\\e', "\0" => '\\0', "\a" => '\\a', "\f" => '\\f',
    '"' => '\\"', '\\' => '\\\\', '$' => '\\$', '@' => '\\@',
);

my sub string_literal {
    my ($text) = @_;
    return "'$text'" if $text !~ tr/ -&(-[]-~//c;
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
    return $value ? '!!1' : '!!0' if builtin::is_bool($value);
    if (!builtin::created_as_number($value)) {
        return string_literal(builtin::reftype(\$value) eq 'GLOB' ? "$value" : $value);
    }
    my $copy = $value;
    return "$copy";
}

my sub key_literal {
    my ($key) = @_;
    return $key =~ /\A(?:[A-Za-z_]\w*|0|[1-9][0-9]{0,8})\z/a ? $key : string_literal($key);
}

# As many parts in each line as there is room for.
my sub filled_lines {
    my ($parts, $width) = @_;
    my @lines = ('');
    for my $part (@$parts) {
        push @lines, '' if $lines[-1] ne '' && length($lines[-1]) + length($part) + 2 > $width;
        $lines[-1] .= ($lines[-1] eq '' ? '' : ' ') . "$part,";
    }
    return @lines;
}

# Opening, parts and closing, in one line or in several.
my sub layout {
    my ($open, $parts, $close, $depth, $fill) = @_;
    return $open . $close if !@$parts;
    my $length = length($open) + length($close) + INDENT * $depth;
    my $broken = 0;
    for my $part (@$parts) {
        $length += length($part) + 2;
        $broken = 1, last if $length > LINE_WIDTH || index($part, "\n") >= 0;
    }
    return $open . join(', ', @$parts) . $close if !$broken;
    my $margin = ' ' x (INDENT * ($depth + 1));
    my @lines = $fill ? filled_lines($parts, LINE_WIDTH - length $margin) : map { "$_," } @$parts;
    return "$open\n" . join('', map { "$margin$_\n" } @lines) . ' ' x (INDENT * $depth) . $close;
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

my %is_opaque = map { $_ => 1 } qw(IO FORMAT OBJECT INVLIST);
my %brackets = (ARRAY => ['[', ']'], HASH => ['{', '}'], '@' => ['(', ')'], '%' => ['(', ')']);

# `$state` is { inside, left }: the containers that we are inside of, and how many characters may still come.
my sub literal {
    my ($value, $depth, $state, $bare) = @_;
    my $literal = __SUB__;
    if (!ref $value) {
        my $text = builtin::created_as_number($value) ? '' . $value : scalar_literal($value);
        $state->{left} -= VALUE_COST + length $text;
        return $text;
    }
    my ($kind, $address) = (builtin::reftype($value), builtin::refaddr($value));
    my $class = builtin::blessed($value);
    my ($open, $close) = @{ $brackets{ $bare // $kind } // ['', ''] };
    return pattern_literal($value) if $kind eq 'REGEXP' && $class eq 'Regexp';
    return $$value ? 'JSON::PP::true' : 'JSON::PP::false'
        if $kind eq 'SCALAR' && ($class // '') eq 'JSON::PP::Boolean';
    # Files, formats, and objects of the feature `class`: nobody can look into them.
    return sprintf '%s%s(0x%x)', defined $class ? "$class=" : '', $kind, $address if $is_opaque{$kind};
    return '<cycle>' if $state->{inside}{$address};
    ($open, $close) = ("bless($open", "$close, " . string_literal($class) . ')') if defined $class;
    return $open . '...' . $close if $depth > TEXT_DEPTH;
    $state->{left} -= VALUE_COST + length($open) + length($close);
    local $state->{inside}{$address} = 1;
    if ($kind eq 'ARRAY') {
        my @parts;
        my $plain = 1;
        for my $index (0 .. $#$value) {
            last if $state->{left} < 0;
            $plain &&= !ref $value->[$index];
            push @parts, $literal->($value->[$index], $depth + 1, $state);
        }
        push @parts, '...' if @parts < @$value;
        return layout($open, \@parts, $close, $depth, $plain);
    }
    if ($kind eq 'HASH') {
        my @parts;
        for my $key (sort keys %$value) {
            last if $state->{left} < 0;
            $state->{left} -= length $key;
            push @parts, key_literal($key) . ' => ' . $literal->($value->{$key}, $depth + 1, $state);
        }
        push @parts, '...' if @parts < keys %$value;
        return layout($open, \@parts, $close, $depth);
    }
    my $body = $kind eq 'CODE' ? code_literal($value)
        : $kind eq 'GLOB' ? '\\' . *$value
        : $kind eq 'REGEXP' ? pattern_literal($value)
        : '\\' . $literal->($$value, $depth + 1, $state);
    return $open . $body . $close;
}

# (the text of anything, whether it is all of it). More than about `$most` characters are not made. `$bare` is
# '@' or '%' for a list or a hash itself.
my sub literal_of {
    my ($value, $most, $bare) = @_;
    my $state = { inside => {}, left => $most };
    my $text = literal($value, 0, $state, $bare);
    return ($text, $state->{left} >= 0);
}
