"""perlrequick and perlretut: regular expressions and text, about a weather diary."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Simple matching: words and what is special",
        r"""
use strict; use warnings; use feature 'say';
my $entry = "On 14 March the wind was 7.5 knots (north)";
say $entry =~ /wind/ ? "windy" : "calm", " ", $entry !~ /snow/ ? "dry" : "white";
say "special" if $entry =~ /\(north\)$/ and "a/b" =~ m{a/b} and "7.5" =~ /^7\.5\z/;
""",
        out="windy dry\nspecial\n",
    ),
    Snippet(
        "Simple matching: a pattern in a variable",
        r"""
my $unit = "knots";
my @with = grep { /\d $unit/i } $entry, "5 KNOTS", "3 miles";
say scalar @with, " ", "@with[1 .. $#with]";
""",
        out="2 5 KNOTS\n",
    ),
    Snippet(
        "Character classes: sets and their shorthands",
        r"""
say join ",", "a1_ b-2\tc" =~ /[a-c]\d?|[^\w\s]/g;
say join ",", map { /^[[:upper:]]\S+$/ ? "name" : /^\d+$/ ? "number" : "other" } qw(Oslo 17 x9);
""",
        out="a1,b,-,c\nname,number,other\n",
    ),
    Snippet(
        "Alternatives and anchors: this or that, at a boundary",
        r"""
say join " ", "sun rain sunny rainy" =~ /\b(?:sun|rain)\b/g;
say "first: $1" if "snow before sleet" =~ /(sleet|snow)/;
""",
        out="sun rain\nfirst: snow\n",
    ),
    Snippet(
        "Grouping: what was matched",
        r"""
my ($day, $month) = $entry =~ /(\d+) (\w+)/;
say "$day of $month; from $-[0] to $+[0], $+";
""",
        out="14 of March; from 3 to 11, March\n",
    ),
    Snippet(
        "Grouping: nested groups and numbers",
        r"""
"2031-03-14T06" =~ /((\d+)-(\d+))-(\d+)(T\d+)?(Z)?/;
say join "|", $1, $2, $3, $4, $5, defined $6 ? $6 : "undef", $#+, $#-;
""",
        out="2031-03|2031|03|14|T06|undef|6|5\n",
    ),
    Snippet(
        "Grouping: kept for another entry",
        r"""
my @date = "2031-03-14" =~ /(\d+)-(\d+)-(\d+)/;
my ($from, $to) = ($-[2], $+[2]);
""",
    ),
    Snippet(
        "Grouping: and used there",
        'say "@date[1, 2] $from..$to";',
        out="03 14 5..7\n",
    ),
    Snippet(
        "Grouping: names",
        r"""
if ("gust: 42 at 06h" =~ /(?<what>\w+): (?<much>\d+)(?: at (?<hour>\d+)h)?/) {
    say join " ", map { "$_=$+{$_}" } sort keys %+;
}
""",
        out="hour=06 much=42 what=gust\n",
    ),
    Snippet(
        "Grouping: backwards and relative",
        r"""
say join " ", grep { /\b(\w)\w*\1\b/ } qw(dewed storm sleets noon);
say "doubled: $1" if "the the wind" =~ /\b(\w+)\s+\g{-1}\b/;
""",
        out="dewed sleets noon\ndoubled: the\n",
    ),
    Snippet(
        "Repetitions: greedy and not",
        r"""
my $html = "<b>cold</b> and <b>wet</b>";
my ($greedy) = $html =~ /<b>(.*)<\/b>/;
my ($lazy) = $html =~ /<b>(.*?)<\/b>/;
say "$greedy | $lazy | ", join ",", "aaaa" =~ /^(a{1,2}?)(a{2,})$/;
""",
        out="cold</b> and <b>wet | cold | a,aaa\n",
    ),
    Snippet(
        "Using regular expressions: all of them",
        r"""
my @readings = "t=3 h=80 p=1013" =~ /(\w)=(\d+)/g;
my %reading = @readings;
say scalar @readings, " ", join ",", map { "$_$reading{$_}" } sort keys %reading;
""",
        out="6 h80,p1013,t3\n",
    ),
    Snippet(
        "Using regular expressions: one after the other",
        r"""
my $line = "12;15;9;22";
$line =~ /(\d+)/g;
say "$1 at ", pos $line;
""",
        out="12 at 2\n",
    ),
    Snippet(
        "Using regular expressions: the position is where it was",
        r"""
$line =~ /(\d+)/g;
say "$1 at ", pos $line;
""",
        out="15 at 5\n",
    ),
    Snippet(
        "Using regular expressions: going on from there",
        r"""
my @tail;
while ($line =~ /\G;(\d+)/gc) { push @tail, $1 }
say "@tail ", pos $line;
""",
        out="9 22 10\n",
    ),
    Snippet(
        "Using regular expressions: a reader of words",
        r"""
my $source = "temp = 3.5 + rain*2";
my @tokens;
for ($source) {
    while (1) {
        if (/\G\s+/gc) { next }
        elsif (/\G(\d+(?:\.\d+)?)/gc) { push @tokens, "n$1" }
        elsif (/\G([a-z]+)/gc) { push @tokens, "w$1" }
        elsif (/\G([=+*])/gc) { push @tokens, $1 }
        else { last }
    }
}
say "@tokens";
""",
        out="wtemp = n3.5 + wrain * n2\n",
    ),
    Snippet(
        "Search and replace: once, everywhere and in a copy",
        r"""
(my $report = $entry) =~ s/wind/breeze/;
my $shorter = $entry =~ s/\s*\([^)]*\)//r =~ s/On //r;
my $changed = ($line =~ s/(\d+)/<$1>/g);
say "$report\n$shorter\n$line $changed";
""",
        out="On 14 March the breeze was 7.5 knots (north)\n14 March the wind was 7.5 knots\n<12>;<15>;<9>;<22> 4\n",
    ),
    Snippet(
        "Search and replace: with code",
        r"""
my $warmer = "3C and 11C" =~ s/(\d+)C/sprintf "%.1fF", $1 * 9 \/ 5 + 32/ger;
my $title = "a wet day in may" =~ s/\b(\w)(\w*)/\u$1\L$2/gr;
my $nested = '$n + $n' =~ s/\$n/'"x"'/eer;
say "$warmer, $title, $nested";
""",
        out="37.4F and 51.8F, A Wet Day In May, x + $n\n",
    ),
    Snippet(
        "Search and replace: letters for letters",
        """
(my $coded = "Hello, rain") =~ tr/A-Za-z/N-ZA-Mn-za-m/;
my $vowels = ($entry =~ tr/aeiou//);
(my $squeezed = "hhhoooww  ww") =~ tr/a-z//s;
say "$coded $vowels $squeezed ", "2031" =~ tr/0-9/a-j/r;
""",
        out="Uryyb, enva 6 how  w cadb\n",
    ),
    Snippet(
        "Splitting: by patterns",
        r"""
say join "|", split /\s*[,;]\s*/, "mild , wet;windy,";
say join "|", split(/(-)/, "a-b-c", 2), split(" ", "  two words "), split(//, "abc", 2), split(/,/, "x,,y,,");
""",
        out="mild|wet|windy\na|-|b-c|two|words|a|bc|x||y\n",
    ),
    Snippet(
        "Modifiers: over lines",
        r"""
my $diary = "mon: rain\ntue: sun\n# note\nwed: rain\n";
my @wet = $diary =~ /^(\w+): rain$/mg;
my ($all) = $diary =~ /mon(.*)wed/s;
say "@wet ", length $all, " ", scalar(() = $diary =~ /\n/g);
""",
        out="mon wed 23 4\n",
    ),
    Snippet(
        "Modifiers: with comments",
        r"""
my $moment = qr{
    (?<h> [01]?\d | 2[0-3] )   # hours
    :
    (?<m> [0-5]\d )            # minutes
}x;
say "06:45 and 25:10, 19:05" =~ s/$moment/$+{h}h$+{m}/gr;
""",
        out="06h45 and 25h10, 19h05\n",
    ),
    Snippet(
        "Modifiers: compiled once and used in others",
        r"""
my %is = (word => qr/^\pL+$/, number => qr/^-?\d+$/, moment => qr/^$moment$/i);
for my $text ("mist", "-4", "7:30", "?") {
    say "$text: ", join(",", grep { $text =~ $is{$_} } sort keys %is) || "nothing";
}
""",
        out="mist: word\n-4: number\n7:30: moment\n?: nothing\n",
    ),
    Snippet(
        "Modifiers: a compiled pattern as text",
        '"$is{number}"',
        value="(?^:^-?\\d+$)",
    ),
    Snippet(
        "Looking around: ahead and behind",
        r"""
my $amount = "1234567.891";
1 while $amount =~ s/^(\d+)(\d{3})/$1,$2/;
say $amount, " ", join ",", "cost 5kg, 7km, 8kg" =~ /\d+(?=kg)/g, "a1b2" =~ /(?<=b)\d/g, "x=1 y=2" =~ /(?<!x=)\d/g;
""",
        out="1,234,567.891 5,8,2,2\n",
    ),
    Snippet(
        "Looking around: recursion and conditions",
        r"""
my $balanced = qr/(\((?:[^()]++|(?1))*\))/;
say "f(a(b)c)(d) + (e" =~ $balanced ? $1 : "none";
say join " ", map { /^(<)?\w+(?(1)>)$/ ? "yes" : "no" } "<a>", "a", "<a", "a>";
""",
        out="(a(b)c)\nyes yes no no\n",
    ),
    Snippet(
        "Unicode: letters beyond ASCII",
        r"""
my $place = "Øresund Straße";
say length $place, " ", uc $place, " ", join ",", map { sprintf "U+%04X", ord } $place =~ /(\P{ASCII})/g;
""",
        out="14 ØRESUND STRASSE U+00D8,U+00DF\n",
    ),
    Snippet(
        "Unicode: by their properties",
        r"""
say join "|", "αβγ 42 ٣ x" =~ /\p{Greek}+|\p{Nd}/g;
say "\N{U+2603} \x{1F327}" =~ /\p{So}/ ? "symbol" : "none";
""",
        out="αβγ|4|2|٣\nsymbol\n",
    ),
    Snippet(
        "Operators on text: numbers, formats and lists",
        """
say sprintf("%5.2f|%-6s|%06d|%x|%b|%e|%s", 3.14159, "ab", 42, 255, 5, 12345, join ",", map { chr } 97 .. 99);
say join " ", lc("ABC"), lcfirst("ABC"), "abc" lt "abd" ? 1 : 0, "a" x 3, join("", map { ucfirst } qw(a b)), rindex("banana", "an");
my $version = "az"; $version++;
my $z9 = "Zz"; $z9++;
say "$version $z9 ", "10" == 10.0 ? "equal" : "not";
""",
        out=" 3.14|ab    |000042|ff|101|1.234500e+04|a,b,c\nabc aBC 1 aaa AB 3\nba AAa equal\n",
    ),
    Snippet(
        "Operators on text: packed",
        """
my $packed = pack "nCa3", 513, 65, "xyz";
say join(",", map { ord } split //, $packed), " ", join ",", unpack "nCa3", $packed;
""",
        out="2,1,65,120,121,122 513,65,xyz\n",
    ),
    Snippet(
        "Using regular expressions: an error in a pattern is caught",
        r"""
my $bad = "(wet";
my $ok = eval { "wet" =~ /$bad/; 1 };
say $ok ? "fine" : "broken: " . ($@ =~ /^(Unmatched \()/)[0];
""",
        out="broken: Unmatched (\n",
    ),
    Snippet(
        "Using regular expressions: or reaches the reader",
        '"wet" =~ /$bad/;',
        error="PerlError",
    ),
    Snippet(
        "Using regular expressions: everything is still there",
        """
say join "|", $day, $month, "@tail", "@tokens[0,1]", $reading{h}, "9:15" =~ $is{moment} ? "moment" : "none", $version, pos($source) // "no position";
""",
        out="14|March|9 22|wtemp =|80|moment|ba|19\n",
    ),
)
