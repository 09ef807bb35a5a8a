"""perlintro from files to modules; goes on where `introduction_basics` ends."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Files: written and read",
        r"""
open(my $out, '>', 'visits.txt') or die "visits.txt: $!";
print $out "$_;$tons{$_}\n" for sort keys %tons;
close $out;
open(my $in, '<', 'visits.txt') or die "visits.txt: $!";
my $first = <$in>;
chomp $first;
say "$first at line $.";
""",
        out="Dora;10 at line 1\n",
    ),
    Snippet(
        "Files: the handle is where it was",
        """
my @lines = <$in>;
close $in;
print @lines;
say scalar @lines, " ", -s 'visits.txt', " ", (-e 'nothing.txt' ? "there" : "missing");
""",
        out="Una;80\nVera;230\n2 24 missing\n",
    ),
    Snippet(
        "Files: one that is not there",
        r"""open(my $none, '<', 'nothing.txt') or die "Cannot read: no such file" . "\n";""",
        error="PerlError",
        message="Cannot read: no such file",
    ),
    Snippet(
        "Regular expressions: does it match",
        r"""
for my $line (@lines, "Una;80") {
    if ($line =~ /^(\w+);(\d+)$/) { say "$1 has $2 tons" }
}
""",
        out="Una has 80 tons\nVera has 230 tons\nUna has 80 tons\n",
    ),
    Snippet(
        "Regular expressions: replacing",
        r"""
my $mail = 'To: keeper@light.example';
(my $masked = $mail) =~ s/(\w+)@(\w+)/$1 at $2/;
my $times = (my $spaced = "a  b   c") =~ s/\s+/ /g;
say "$masked, $spaced, $times";
""",
        out="To: keeper at light.example, a b c, 2\n",
    ),
    Snippet(
        "Regular expressions: what was matched is still known",
        r"""
"harbour 17" =~ /(?<word>[a-z]+)\s+(\d+)/;
say "$+{word} $2 $& [$`]";
""",
        out="harbour 17 harbour 17 []\n",
    ),
    Snippet(
        "Subroutines: arguments and values",
        """
sub beam {
    my ($colour, $times) = @_;
    $times = 2 unless defined $times;
    return ($colour) x $times;
}
say join ",", beam("red"), beam("white", 3);
""",
        out="red,red,white,white,white\n",
    ),
    Snippet(
        "Subroutines: what the caller wants",
        """
sub context { return wantarray ? "list" : defined(wantarray) ? "scalar" : "nothing" }
my ($list) = context();
my $scalar = context();
say "$list $scalar";
""",
        out="list scalar\n",
    ),
    Snippet(
        "Subroutines: closures",
        """
sub make_counter {
    my $count = shift;
    return { up => sub { return ++$count }, reset => sub { $count = 0 } };
}
my ($a1, $b1) = (make_counter(5), make_counter(50));
$a1->{up}->() for 1 .. 3;
say $a1->{up}->(), " ", $b1->{up}();
""",
        out="9 51\n",
    ),
    Snippet(
        "Subroutines: they remember",
        "$a1->{up}->() + $b1->{up}->()",
        value="62",
    ),
    Snippet(
        "Subroutines: variables that stay",
        """
sub ticket { state $next = 100; return $next++ }
ticket(); ticket();
say ticket();
""",
        out="102\n",
    ),
    Snippet(
        "Subroutines: they stay in another entry, too",
        "ticket()",
        value="103",
    ),
    Snippet(
        "Subroutines: recursion and references to subs",
        r"""
sub fact { my $n = shift; return $n < 2 ? 1 : $n * fact($n - 1) }
my %table = (fact => \&fact, twice => sub { 2 * shift });
say join " ", map { $table{$_}->(5) } sort keys %table;
""",
        out="120 10\n",
    ),
    Snippet(
        "Object-oriented Perl: a small class",
        """
package Boat {
    sub new { my ($class, %args) = @_; return bless {name => "none", %args}, $class }
    sub name { my $self = shift; $self->{name} = shift if @_; return $self->{name} }
    sub describe { my $self = shift; return ref($self) . " " . $self->name }
}
my $boat = Boat->new(name => "Dory");
say $boat->describe;
""",
        out="Boat Dory\n",
    ),
    Snippet(
        "Object-oriented Perl: it can be renamed",
        """
$boat->name("Gig");
$boat->describe
""",
        value="Boat Gig",
    ),
    Snippet(
        "Modules: those that come along",
        """
use List::Util qw(sum max first reduce shuffle);
use Scalar::Util qw(blessed looks_like_number);
say sum(@numbers), " ", max(3, 9, 4), " ", first { $_ > 5 } 1 .. 10;
say blessed($boat), " ", looks_like_number("1e5") ? "number" : "text", " ", reduce { $a * $b } 1 .. 5;
""",
        out="35 9 6\nBoat number 120\n",
    ),
    Snippet(
        "Modules: one of one's own",
        """
open my $module, '>', 'Tide.pm' or die $!;
print $module <<'END';
package Tide;
use strict;
use Exporter 'import';
our @EXPORT_OK = qw(level);
my $calls = 0;
sub level { my $hour = shift; $calls++; return $hour % 12 < 6 ? "rising $calls" : "falling $calls" }
1;
END
close $module;
use lib '.';
require Tide;
Tide->import('level');
say level(3), ", ", Tide::level(20);
""",
        out="rising 1, falling 2\n",
    ),
    Snippet(
        "Modules: it is loaded once",
        r"""
require Tide;
say Tide::level(1), " ", $INC{'Tide.pm'} =~ /Tide\.pm$/ ? "known" : "unknown";
""",
        out="rising 3 known\n",
    ),
    Snippet(
        "Safety net: an error is caught",
        r"""
my $result = eval { die "fog\n"; 1 };
print "caught: $@" unless $result;
eval { my $none = 0; my $ratio = 1 / $none; };
say $@ =~ /^(Illegal division by zero)/;
""",
        out="caught: fog\nIllegal division by zero\n",
    ),
    Snippet(
        "Safety net: a warning goes to the other stream",
        r"""
warn "low on oil\n";
my $undefined;
my $joined = "oil: " . $undefined;
say length $joined;
""",
        out="5\n",
        err="low on oil\nUse of uninitialized value $undefined in concatenation (.) or string at <cell 45> line 3.\n",
    ),
    Snippet(
        "Safety net: an error that nobody catches",
        """
$height = 43;
die "the lamp is out";
""",
        error="PerlError",
        message="the lamp is out at <cell 46> line 2.",
    ),
    Snippet(
        "Safety net: what was done before stays",
        "$height",
        value="43",
    ),
    Snippet(
        "Safety net: a method that is missing",
        "$boat->sink;",
        error="PerlError",
        message='Can\'t locate object method "sink" via package "Boat" at <cell 48> line 1.',
    ),
    Snippet(
        "Safety net: strict references",
        """
my $label = "height";
print $$label;
""",
        error="PerlError",
        message='Can\'t use string ("height") as a SCALAR ref while "strict refs" in use at <cell 49> line 2.',
    ),
    Snippet(
        "Safety net: a syntax error",
        "my $half = (1 + ;",
        error="CompileError",
    ),
    Snippet(
        "Basic syntax: everything is still there",
        """
say join "|", $keeper, "@ships", scalar(%tons), $a1->{up}->(), ticket(), $boat->name, $masked, $sum, "@found", Tide::level(7);
""",
        out="Morgan|Ara Una Vera Dora|3|11|104|Gig|To: keeper at light.example|26012|11 21 22 31|falling 4\n",
    ),
)
