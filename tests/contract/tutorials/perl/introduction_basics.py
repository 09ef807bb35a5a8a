"""perlintro from its safety net to operators, about a lighthouse."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Safety net: pragmas hold from here on",
        r"""
use strict;
use warnings;
use feature qw(say state);
print "The lamp is lit.\n";
""",
        out="The lamp is lit.\n",
    ),
    Snippet(
        "Safety net: a name that was not declared",
        "$lantern = 3;",
        error="CompileError",
        message='Global symbol "$lantern" requires explicit package name (did you forget to declare "my $lantern"?) at <cell 2> line 1.',
    ),
    Snippet(
        "Basic syntax: quotes",
        r"""
my $keeper = "Morgan";
print "Keeper: $keeper\n", 'Not: $keeper\n', "\n";
""",
        out="Keeper: Morgan\nNot: $keeper\\n\n",
    ),
    Snippet(
        "Basic syntax: a value",
        "length($keeper) * 7",
        value="42",
    ),
    Snippet(
        "Basic syntax: a document in place",
        """
print <<"LETTER", <<~'RAW';
Dear $keeper,
@{[ 2 + 3 ]} ships passed.
LETTER
    No $interpolation
      here.
    RAW
""",
        out="Dear Morgan,\n5 ships passed.\nNo $interpolation\n  here.\n",
    ),
    Snippet(
        "Variable types: scalars",
        """
my $height = 42;
my $speed = 7.25;
my ($name, $code) = ("north", "0x1f");
say "$name is $height high, ", $height + $speed, ", ", hex $code;
""",
        out="north is 42 high, 49.25, 31\n",
    ),
    Snippet(
        "Variable types: text becomes a number",
        '"3 ships" * 1 + "4.5"',
        err='Argument "3 ships" isn\'t numeric in multiplication (*) at <cell 7> line 1.\n',
        value="7.5",
    ),
    Snippet(
        "Variable types: arrays",
        """
my @ships = ("Ara", "Bela", "Cora");
my @mixed = (1, "two", [3]);
say $ships[0], " ", $ships[-1], " ", $#ships, " ", scalar @ships;
say "@ships[0, 2] | @ships[1 .. $#ships]";
""",
        out="Ara Cora 2 3\nAra Cora | Bela Cora\n",
    ),
    Snippet(
        "Variable types: arrays are changed",
        """
push @ships, "Dora";
unshift @ships, "Zora";
my $gone = shift @ships;
my @cut = splice @ships, 1, 2, qw(Una Vera);
say "$gone, @cut, @ships";
""",
        out="Zora, Bela Cora, Ara Una Vera Dora\n",
    ),
    Snippet(
        "Variable types: in order and backwards",
        """
my @sorted = sort @ships;
my @backwards = reverse sort { lc $a cmp lc $b } @ships, "Ada";
say "@sorted / @backwards";
""",
        out="Ara Dora Una Vera / Vera Una Dora Ara Ada\n",
    ),
    Snippet(
        "Variable types: hashes",
        """
my %tons = (Ara => 120, Una => 80, Vera => 230);
say $tons{Una};
say join ", ", map { "$_=$tons{$_}" } sort keys %tons;
""",
        out="80\nAra=120, Una=80, Vera=230\n",
    ),
    Snippet(
        "Variable types: hashes are changed",
        """
$tons{Dora} = 10;
delete $tons{Ara};
my ($heavy) = sort { $tons{$b} <=> $tons{$a} } keys %tons;
say exists $tons{Ara} ? "there" : "gone", " ", scalar(keys %tons), " $heavy";
my ($una, $ara) = @tons{qw(Una Ara)};
say $una, " ", $ara // "none";
""",
        out="gone 3 Vera\n80 none\n",
    ),
    Snippet(
        "Variable types: more than one level",
        """
my $log = { day => 3, ships => [@ships], weather => { wind => "west", force => 8 } };
say "$log->{day}: $log->{ships}[1], $log->{weather}{wind} @{$log->{ships}}[0,1]";
""",
        out="3: Una, west Ara Una\n",
    ),
    Snippet(
        "Variable scoping: a block has variables of its own",
        """
my $x = "outside";
{
    my $x = "inside";
    our $shared = "package";
    say $x;
}
say $x, " ", $main::shared;
""",
        out="inside\noutside package\n",
    ),
    Snippet(
        "Variable scoping: local ends with its block",
        """
our $mode = "day";
sub mode { return $mode }
sub by_night { local $mode = "night"; return mode() }
say by_night(), " ", mode();
""",
        out="night day\n",
    ),
    Snippet(
        "Variable scoping: what was declared before is still there",
        '"$keeper $height $x $mode"',
        value="Morgan 42 outside day",
    ),
    Snippet(
        "Conditional and looping constructs: if, unless and their short forms",
        """
if ($height > 50) { say "tall" }
elsif ($height > 40) { say "fair" }
else { say "low" }
unless ($speed > 10) { say "slow" }
say "loud" if $log->{weather}{force} >= 8;
say $height % 2 ? "odd" : "even";
""",
        out="fair\nslow\nloud\neven\n",
    ),
    Snippet(
        "Conditional and looping constructs: loops",
        r"""
my $sum = 0;
foreach my $n (1 .. 10) { next if $n % 2; last if $n > 8; $sum += $n }
my $left = 3;
while ($left) { $sum += $left-- }
for (my $i = 0; $i < 3; $i++) { $sum .= $i }
print "$_ " for @ships;
print "\n$sum\n";
""",
        out="Ara Una Vera Dora \n26012\n",
    ),
    Snippet(
        "Conditional and looping constructs: labels",
        """
my @found;
OUTER: for my $row (1 .. 4) {
    for my $column (1 .. 4) {
        next OUTER if $column > $row;
        last OUTER if $row * $column == 6;
        push @found, "$row$column";
    }
}
say "@found";
""",
        out="11 21 22 31\n",
    ),
    Snippet(
        "Conditional and looping constructs: keys and positions",
        r"""
while (my ($index, $ship) = each @ships) { print "$index:$ship;" }
do { $left++ } until $left > 4;
print " $left\n";
""",
        out="0:Ara;1:Una;2:Vera;3:Dora; 5\n",
    ),
    Snippet(
        "Operators and functions: arithmetic and text",
        """
say join " ", 7 / 2, int(7 / 2), -7 % 3, 2**10, 10 <=> 9, "10" cmp "9", "ab" x 3, "a" . 1 + 2;
""",
        out="3.5 3 2 1024 1 -1 ababab 2\n",
        err='Argument "a1" isn\'t numeric in addition (+) at <cell 21> line 1.\n',
    ),
    Snippet(
        "Operators and functions: lists",
        """
my @numbers = map { $_ * $_ } grep { $_ & 1 } 1 .. 6;
my ($min, $max) = (sort { $a <=> $b } @numbers)[0, -1];
say "@numbers $min $max ", join("-", reverse 1 .. 3);
""",
        out="1 9 25 1 25 3-2-1\n",
    ),
    Snippet(
        "Operators and functions: text",
        """
say ucfirst(lc "HARBOUR"), " ", index("harbour", "bo"), " ", substr("harbour", 1, 3), " ", sprintf("%03d|%-4s|%.2f|%s", 7, "ab", 3.14159, "x"), " ", join("", sort split //, "tide");
""",
        out="Harbour 3 arb 007|ab  |3.14|x deit\n",
    ),
    Snippet(
        "Operators and functions: text is changed in place",
        """
my $text = "the tide turns";
substr($text, 4, 4) = "wind";
(my $loud = $text) =~ tr/a-z/A-Z/;
say "$text $loud ", ($text =~ tr/t//), " ", scalar reverse("abc"), " ", ucfirst $text;
""",
        out="the wind turns THE WIND TURNS 2 cba The wind turns\n",
    ),
    Snippet(
        "Operators and functions: logic",
        '(0 || "fallback") . (undef // "defined") . ("0.0" && "true") . !!1',
        value="fallbackdefinedtrue1",
    ),
)
