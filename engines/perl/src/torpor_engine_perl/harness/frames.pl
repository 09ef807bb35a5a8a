# The protocol's frames as JSON text, and a result kept inside its size limit.
#
# Sizes are bytes of UTF-8. A representation that was cut or left out is named, with its true size.
use constant {
    PLAIN => 'text/plain',
    JSON => 'application/json',
    # The part of the limit that is kept for the text when JSON stands beside it.
    TEXT_SHARE => 8,
};

# Of the text as UTF-8. What it is given stays the same text, kept otherwise.
my sub byte_size {
    utf8::upgrade($_[0]);
    use bytes;
    return length $_[0];
}

my sub with_commas {
    my ($digits) = @_;
    1 while $digits =~ s/\A([0-9]+)([0-9]{3})/$1,$2/;
    return $digits;
}

# The beginning of a text and a marker, together within `$room` bytes where that is possible.
my sub cut_bytes {
    my ($text, $room, $size, $whole) = @_;
    my $marker = "\n... [cut: " . ($whole ? '' : 'over ') . with_commas($size) . ' bytes in all]';
    my $keep = $room - length $marker;
    utf8::encode($text);
    $keep = 0 if $keep < 0;
    substr($text, $keep) = '' if $keep < length $text;
    # Not in the middle of a character.
    $text =~ s/[\xC0-\xFF][\x80-\xBF]*\z// if substr($text, -4) =~ /[\x80-\xFF]\z/;
    utf8::decode($text);
    return $text . $marker;
}

# A text within so many characters, with a marker if it was cut.
my sub cut_characters {
    my ($text, $most) = @_;
    return $text if length $text <= $most;
    my $marker = '... [' . with_commas(length $text) . ' characters in all]';
    my $keep = $most - length $marker;
    return substr($text, 0, $keep > 0 ? $keep : 0) . $marker;
}

# The first and the last lines; what is told last says most.
my sub cut_lines {
    my ($most, @lines) = @_;
    return @lines if @lines <= $most;
    my $head = int($most / 3);
    my $tail = $most - $head - 1;
    my $left_out = '  ... ' . (@lines - $head - $tail) . ' lines left out ...';
    return (@lines[0 .. $head - 1], $left_out, @lines[-$tail .. -1]);
}

# `$whole` is false if the text was not made to its end. `$json` is JSON text already, or undef; `$json_size`
# is defined if there is JSON, be it too large to have been made.
my sub result_frame {
    my ($text, $whole, $json, $json_size, $limit) = @_;
    my (@data, @truncated);
    my $size = byte_size($text);
    $size = $limit + 1 if !$whole && $size <= $limit;
    my $reserved = int($limit / TEXT_SHARE);
    $reserved = $size if $size < $reserved;
    my $room = $limit - $reserved;
    if (defined $json_size) {
        $json_size = byte_size($json) if defined $json;
        if ($json_size > $room) { push @truncated, quote(JSON) . ":$json_size" }
        else { $room -= $json_size; push @data, quote(JSON) . ":$json" }
    }
    $room += $reserved;
    if ($size > $room) {
        push @truncated, quote(PLAIN) . ":$size";
        $text = cut_bytes($text, $room, $size, $whole);
    }
    unshift @data, quote(PLAIN) . ':' . quote($text);
    return '{"type":"result","data":{' . join(',', @data) . '},"isValue":true,"truncated":{'
        . join(',', @truncated) . '}}';
}

my sub error_frame {
    my (%error) = @_;
    return '{"type":"error","name":' . quote($error{name}) . ',"message":' . quote($error{message})
        . ',"traceback":[' . join(',', map { quote($_) } @{ $error{traceback} }) . ']'
        . ',"lineNumber":' . ($error{line} // 'null') . '}';
}

my sub completion_frame {
    my ($start, @matches) = @_;
    return '{"type":"completion","matches":[' . join(',', map { quote($_) } @matches) . qq(],"start":$start});
}

my sub done_frame {
    my ($folder, $status) = @_;
    return '{"type":"done","cwd":' . quote($folder) . ',"exitStatus":' . ($status // 'null') . '}';
}
