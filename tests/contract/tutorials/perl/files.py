"""perlopentut: files, about a workshop."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Opening text files: for writing",
        r"""
use strict; use warnings; use feature 'say';
open(my $order, '>:encoding(UTF-8)', 'orders.txt') or die "orders.txt: $!";
print {$order} "chair;4\n";
printf {$order} "%s;%d\n", "t\x{e4}ble", 1;
say {$order} "stool;12";
say fileno($order) > 2 ? "open" : "odd";
""",
        out="open\n",
    ),
    Snippet(
        "Opening text files: it stays open",
        r"""
print {$order} "bench;2\n";
close($order) or die $!;
say -s 'orders.txt';
""",
        out="34\n",
    ),
    Snippet(
        "Opening text files: for reading",
        """
open(my $read, '<:encoding(UTF-8)', 'orders.txt') or die $!;
my $heading = <$read>;
chomp $heading;
say "$heading $. ", eof($read) ? "end" : "more";
""",
        out="chair;4 1 more\n",
    ),
    Snippet(
        "Opening text files: the reader is where it was",
        """
my %wanted;
while (my $line = <$read>) {
    chomp $line;
    my ($what, $many) = split /;/, $line;
    $wanted{$what} = $many;
    last if $. == 3;
}
say join ",", map { length($_) . $wanted{$_} } sort keys %wanted;
""",
        out="512,51\n",
    ),
    Snippet(
        "Opening text files: what is left",
        """
my @left = <$read>;
say scalar(@left), " $left[0]", eof($read) ? "end" : "more";
close $read;
""",
        out="1 bench;2\nend\n",
    ),
    Snippet(
        "Opening text files: adding to one",
        r"""
open(my $more, '>>', 'orders.txt') or die $!;
print $more "shelf;7\n";
close $more;
open($more, '<', 'orders.txt') or die $!;
my $lines = () = <$more>;
say $lines;
""",
        out="5\n",
    ),
    Snippet(
        "Opening text files: one that is not there",
        """
my $opened = open(my $nothing, '<', 'missing/none.txt');
say $opened ? "open" : "failed: $!";
""",
        out="failed: No such file or directory\n",
    ),
    Snippet(
        "Opening text files: and without a check",
        "open(my $nothing2, '<', 'missing.txt') || die \"missing.txt: $!\";",
        error="PerlError",
        message="missing.txt: No such file or directory at <cell 8> line 1, <$more> line 5.",
    ),
    Snippet(
        "Opening text files: all at once",
        r"""
my $whole = do { local $/; open my $fh, '<:encoding(UTF-8)', 'orders.txt' or die $!; <$fh> };
say length $whole, " ", ($whole =~ tr/\n//);
""",
        out="41 5\n",
    ),
    Snippet(
        "Opening text files: text as a file",
        r"""
my $memory = "";
open(my $string, '>', \$memory) or die $!;
print $string "one\ntwo\n";
say length $memory;
""",
        out="8\n",
    ),
    Snippet(
        "Opening text files: it grows in another entry",
        r"""
print $string "three\n";
close $string;
open(my $back, '<', \$memory) or die $!;
say join "+", map { chomp; $_ } <$back>;
""",
        out="one+two+three\n",
    ),
    Snippet(
        "Opening text files: paragraphs and numbers of lines",
        r"""
open(my $parts, '<', \"a\nb\n\nc\n\n\nd\n") or die $!;
{ local $/ = ""; my @paragraphs = <$parts>; say scalar @paragraphs, " at $."; }
""",
        out="3 at 3\n",
    ),
    Snippet(
        "Opening binary files: bytes",
        """
open(my $binary, '+>:raw', 'tool.bin') or die $!;
print $binary pack("NnC", 0xCAFE, 7, 255);
seek $binary, 4, 0;
my $got = read $binary, my $bytes, 2;
say "$got ", unpack("n", $bytes), " at ", tell $binary;
""",
        out="2 7 at 6\n",
    ),
    Snippet(
        "Opening binary files: both ways, later",
        r"""
seek $binary, 0, 0;
print $binary "\x01";
seek $binary, 0, 0;
{ local $/ = \3; my @chunks = <$binary>; say join " ", map { unpack "H*", $_ } @chunks; }
close $binary;
""",
        out="0100ca fe0007 ff\n",
    ),
    Snippet(
        "Low-level opens and folders: made, listed and removed",
        r"""
mkdir 'bin' or die $!;
for my $name (qw(saw file awl)) { open my $fh, '>', "bin/$name" or die $!; print $fh $name }
opendir(my $folder, 'bin') or die $!;
my @names = sort grep { !/^\./ } readdir $folder;
closedir $folder;
say "@names ", join ",", map { s{.*/}{}r } sort glob "bin/*a*";
""",
        out="awl file saw awl,saw\n",
    ),
    Snippet(
        "Low-level opens and folders: renamed and unlinked",
        """
rename 'bin/saw', 'bin/jigsaw' or die $!;
my $removed = unlink 'bin/file', 'bin/nothing';
say "$removed ", join(" ", map { -d $_ ? "d" : -f _ ? "f" . -s _ : "?" } 'bin', 'bin/jigsaw', 'bin/saw'), " ", (stat 'bin/awl')[7];
""",
        out="1 d f3 ? 3\n",
    ),
    Snippet(
        "Low-level opens and folders: output goes elsewhere for a while",
        r"""
open(my $journal, '>', 'journal.txt') or die $!;
my $screen = select $journal;
print "into the journal\n";
select $screen;
close $journal;
print "on the screen, ", -s 'journal.txt', "\n";
""",
        out="on the screen, 17\n",
    ),
    Snippet(
        "Low-level opens and folders: data in the program",
        r"""
my @parts = map { [split] } grep { /\S/ } split /\n/, <<'PARTS';
bolt 40
nut  38

gear 3
PARTS
say join ",", map { "$_->[0]x$_->[1]" } @parts;
""",
        out="boltx40,nutx38,gearx3\n",
    ),
)
