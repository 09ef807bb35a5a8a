"""perlreftut, perllol and perldsc: references and data structures, about a library."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "References: why and how",
        r"""
use strict; use warnings; use feature 'say';
my @shelf = qw(atlas bible cookbook);
my $ref = \@shelf;
my %price = (atlas => 40, bible => 15);
my $prices = \%price;
say "$$ref[0] ${$ref}[1] $ref->[2] @{$ref} $#{$ref} ", scalar @$ref;
say "$$prices{atlas} $prices->{bible} ", join ",", sort keys %$prices;
""",
        out="atlas bible cookbook atlas bible cookbook 2 3\n40 15 atlas,bible\n",
    ),
    Snippet(
        "References: what is changed through one is changed",
        """
push @{$ref}, "diary";
$prices->{diary} = 3;
$ref->[0] = uc $ref->[0];
say "@shelf $price{diary}";
""",
        out="ATLAS bible cookbook diary 3\n",
    ),
    Snippet(
        "References: what something refers to",
        r"""join " ", map { ref } $ref, $prices, \1, \$ref, sub { }, qr/x/, \*STDOUT""",
        value="ARRAY HASH SCALAR REF CODE Regexp GLOB",
    ),
    Snippet(
        "References: two of the same",
        r"""
my $other = $ref;
say $other == $ref ? "same" : "different", " ", \@shelf == [@shelf] ? "same" : "copy";
""",
        out="same copy\n",
    ),
    Snippet(
        "References: anonymous ones",
        """
my $library = { rooms => [ [1, 2, 3], [4, 5, 6] ], open => 1 };
say $library->{rooms}[1][2], " ", ${$library->{rooms}}[0]->[1], " ", scalar @{ $library->{rooms}[0] };
""",
        out="6 2 3\n",
    ),
    Snippet(
        "References: made by looking",
        """
my %index;
push @{ $index{lc substr $_, 0, 1} }, $_ for @shelf, "almanac", "dune";
$index{x}{deep}[2] = "made" if !exists $index{x};
say join "; ", map { my $v = $index{$_}; ref $v eq 'ARRAY' ? "$_: @$v" : "$_: " . scalar @{ $v->{deep} } } sort keys %index;
""",
        out="a: ATLAS almanac; b: bible; c: cookbook; d: diary dune; x: 3\n",
    ),
    Snippet(
        "References: arrows that can be left out and postfix ones",
        """
my @matrix = ([1, 2], [3, 4]);
my $row = $matrix[1];
say "$matrix[1]->[0] $matrix[1][0] $$row[0] ", join ",", $row->@*, $library->{rooms}->[0]->@[0, 1], $ref->$#*;
""",
        out="3 3 3 3,4,1,2,3\n",
    ),
    Snippet(
        "References: to code and to scalars",
        r"""
my $count = 10;
my $alias = \$count;
$$alias += 5;
my $step = sub { $count += shift // 1 };
$step->(); &$step(4);
say "$count $$alias";
""",
        out="20 20\n",
    ),
    Snippet(
        "References: a reference to a reference",
        r"""
my $deep = \\"bottom";
$$$deep
""",
        value="bottom",
    ),
    Snippet(
        "References: a wrong one",
        """
my $hash = {};
push @$hash, 1;
""",
        error="PerlError",
        message="Not an ARRAY reference at <cell 10> line 2.",
    ),
    Snippet(
        "Lists of lists: written out",
        r"""
my @table = (
    [ "Ann", 3, [qw(poetry)] ],
    [ "Bob", 1, [] ],
    [ "Cid", 2, [qw(maps plays)] ],
);
printf "%-4s%2d %s\n", $_->[0], $_->[1], "@{ $_->[2] }" for sort { $a->[1] <=> $b->[1] } @table;
""",
        out="Bob  1 \nCid  2 maps plays\nAnn  3 poetry\n",
    ),
    Snippet(
        "Lists of lists: grown and cut",
        """
push @{ $table[1][2] }, "law", "tales";
$table[3] = ["Dee"];
my @column = map { $_->[0] } @table;
my @slice = @{ $table[2][2] }[0, 1];
say "@column / @slice / $#table";
""",
        out="Ann Bob Cid Dee / maps plays / 3\n",
    ),
    Snippet(
        "Lists of lists: turned around",
        """
my @turned;
for my $r (0 .. 1) { $turned[$_][$r] = $matrix[$r][$_] for 0 .. 1 }
say join " ", map { "[@$_]" } @turned;
""",
        out="[1 3] [2 4]\n",
    ),
    Snippet(
        "Hashes of lists: collected and printed",
        """
my %loans;
for my $entry (qw(ann:atlas bob:bible ann:diary cid:dune ann:bible)) {
    my ($who, $what) = split /:/, $entry;
    push $loans{$who}->@*, $what;
}
say "$_: ", join(", ", sort @{ $loans{$_} }) for sort { @{ $loans{$b} } <=> @{ $loans{$a} } || $a cmp $b } keys %loans;
""",
        out="ann: atlas, bible, diary\nbob: bible\ncid: dune\n",
    ),
    Snippet(
        "Lists of hashes: read and searched",
        r"""
my @people = map { my %p; @p{qw(name age)} = split /,/; \%p } "Ann,34", "Bob,19", "Cid,52";
my ($oldest) = sort { $b->{age} <=> $a->{age} } @people;
say $oldest->{name}, " ", join " ", map { $_->{name} } grep { $_->{age} < 40 } @people;
""",
        out="Cid Ann Bob\n",
    ),
    Snippet(
        "Hashes of hashes: two keys deep",
        """
my %stock = (fiction => { dune => 2, emma => 1 }, science => { cosmos => 4 });
$stock{fiction}{ulysses}++;
$stock{travel}{alps} = 1;
for my $kind (sort keys %stock) {
    say "$kind: ", join " ", map { "$_=$stock{$kind}{$_}" } sort keys %{ $stock{$kind} };
}
""",
        out="fiction: dune=2 emma=1 ulysses=1\nscience: cosmos=4\ntravel: alps=1\n",
    ),
    Snippet(
        "Hashes of hashes: looking makes the first level",
        """
my $there = exists $stock{art}{klee};
say $there ? "yes" : "no", " ", exists $stock{art} ? "made" : "not made";
delete $stock{art};
""",
        out="no made\n",
    ),
    Snippet(
        "More elaborate records: data and code together",
        r"""
my $record = {
    text => "open",
    list => [@shelf],
    table => \%price,
    code => sub { return "called with @_ by $_[0]" },
    handle => \*STDOUT,
};
print { $record->{handle} } $record->{code}->(qw(a b)), " ", scalar @{ $record->{list} }, "\n";
""",
        out="called with a b by a 4\n",
    ),
    Snippet(
        "More elaborate records: shown whole",
        r"""
use Data::Dumper;
$Data::Dumper::Sortkeys = 1;
$Data::Dumper::Indent = 1;
print Dumper($library, \@people);
""",
        out="$VAR1 = {\n  'open' => 1,\n  'rooms' => [\n    [\n      1,\n      2,\n      3\n    ],\n    [\n      4,\n      5,\n      6\n    ]\n  ]\n};\n$VAR2 = [\n  {\n    'age' => 34,\n    'name' => 'Ann'\n  },\n  {\n    'age' => 19,\n    'name' => 'Bob'\n  },\n  {\n    'age' => 52,\n    'name' => 'Cid'\n  }\n];\n",
    ),
    Snippet(
        "More elaborate records: its settings stay",
        r"""
{
    local $Data::Dumper::Terse = 1;
    local $Data::Dumper::Indent = 0;
    print Dumper({ b => [1, "two", undef], a => \"s" }), "\n";
}
print Data::Dumper->Dump([\%loans], ['loans']);
""",
        out="{'a' => \\'s','b' => [1,'two',undef]}\n$loans = {\n  'ann' => [\n    'atlas',\n    'diary',\n    'bible'\n  ],\n  'bob' => [\n    'bible'\n  ],\n  'cid' => [\n    'dune'\n  ]\n};\n",
    ),
    Snippet(
        "More elaborate records: read back",
        r"""
our $VAR1;
my $copy = eval Dumper(\%stock);
$copy->{fiction}{dune} = 99;
say "$copy->{fiction}{dune} $stock{fiction}{dune} ", join ",", sort keys %$copy;
""",
        out="99 2 fiction,science,travel\n",
    ),
    Snippet(
        "More elaborate records: round and round",
        """
my $node = { name => "a" };
my $next = { name => "b", back => $node };
$node->{next} = $next;
use Scalar::Util qw(weaken refaddr);
weaken($next->{back});
say $node->{next}{back}{next}{name}, " ", refaddr($node) == refaddr($next->{back}) ? "ring" : "line";
""",
        out="b ring\n",
    ),
    Snippet(
        "More elaborate records: what is weak goes when the last strong one goes",
        """
undef $node;
say defined $next->{back} ? "there" : "gone", " $next->{name}";
""",
        out="gone b\n",
    ),
    Snippet(
        "More elaborate records: arrays that share and arrays that do not",
        """
my @copy = map { [@$_] } @matrix;
my @same = @matrix;
$matrix[0][0] = "changed";
say "$copy[0][0] $same[0][0]";
""",
        out="1 changed\n",
    ),
    Snippet(
        "Slices: of hashes, with keys and with positions",
        """
my %some = %price{qw(atlas diary)};
my %at = %shelf[0, 1];
my ($x, $y) = @{$prices}{qw(bible atlas)};
delete @price{qw(bible)};
say join(",", map { "$_=$some{$_}" } sort keys %some), " ", join(",", map { "$_=$at{$_}" } sort keys %at), " $x $y ", scalar keys %price;
""",
        out="atlas=40,diary=3 0=ATLAS,1=bible 15 40 2\n",
    ),
    Snippet(
        "Slices: inverted and merged",
        """
my %by_price = reverse %price;
my %merged = (%price, dune => 8, %{ { emma => 9 } });
say join " ", $by_price{3}, map { "$_$merged{$_}" } sort keys %merged;
""",
        out="diary atlas40 diary3 dune8 emma9\n",
    ),
    Snippet(
        "References: closures over one variable",
        """
my @adders;
for my $n (1 .. 3) { push @adders, sub { return $_[0] + $n + $count } }
say join " ", map { $_->(100) } @adders;
""",
        out="121 122 123\n",
    ),
    Snippet(
        "References: it is shared with everybody",
        """
$step->(1000);
say join " ", map { $_->(0) } @adders;
""",
        out="1021 1022 1023\n",
    ),
    Snippet(
        "References: an iterator",
        """
sub iterate { my @items = @_; my $at = 0; return sub { return $at < @items ? $items[$at++] : undef } }
my $books = iterate(@shelf);
say $books->(), " ", $books->();
""",
        out="ATLAS bible\n",
    ),
    Snippet(
        "References: it goes on where it was",
        """
my @rest;
while (defined(my $book = $books->())) { push @rest, $book }
say "@rest";
""",
        out="cookbook diary\n",
    ),
    Snippet(
        "More elaborate records: everything is still there",
        """
say join "|", "@shelf", $$alias, scalar(keys %loans), "@{$turned[1]}", $library->{rooms}[1][0], $stock{fiction}{ulysses}, ref $record->{code}, $next->{name}, $adders[0]->(1);
""",
        out="ATLAS bible cookbook diary|1020|3|2 4|4|1|CODE|b|1022\n",
    ),
)
