# The private device: one request is read from it, frames are written to it.
#
# Knows nothing of what requests and frames mean. Opened anew each time, so that no descriptor of the
# harness's is open while user code runs. System calls only: `$/`, `$,` and `$\` do not reach them.
use constant DEVICE => '/dev/torpor';
use constant CHUNK  => 65_536;

# The bytes of the request, or undef.
my sub read_request {
    open my $device, '<:raw', DEVICE or return undef;
    my $text = '';
    1 while sysread $device, $text, CHUNK, length $text;
    close $device;
    return $text;
}

# Append complete frames, a line each.
my sub write_frames {
    my $text = join "\n", @_, '';
    utf8::encode($text);
    open my $device, '>>:raw', DEVICE or return;
    my $at = 0;
    while ($at < length $text) {
        my $written = syswrite $device, $text, CHUNK, $at;
        last if !$written;
        $at += $written;
    }
    close $device;
    return;
}
