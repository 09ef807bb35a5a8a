"""Longer programs that the tests of several languages together run."""

from collections.abc import Mapping
from dataclasses import dataclass

#: (binding, file name, source): each a process of its own, in one sandbox. Each keeps a variable.
RELAY = (
    (
        "JAVASCRIPT",
        "orders.js",
        """\
const fs = require('fs');
const orders = [['tea', 3, 2.5], ['cake', 1, 4], ['tea', 2, 2.5], ['soup', 4, 5.25]]
  .map(([item, count, price]) => ({item, count, price}));
fs.writeFileSync('data.json', JSON.stringify(orders));
console.log(`${orders.length} orders written`);
""",
    ),
    (
        "PERL",
        "totals.pl",
        """\
use strict; use warnings; use JSON::PP;
open my $in, '<', 'data.json' or die "data.json: $!";
my $orders = decode_json(do { local $/; <$in> });
close $in;
my %total;
$total{$_->{item}} += $_->{count} * $_->{price} for @$orders;
open my $out, '>', 'totals.json' or die "totals.json: $!";
print $out JSON::PP->new->canonical->encode(\\%total);
close $out;
printf "%s %.2f\\n", $_, $total{$_} for sort keys %total;
""",
    ),
    (
        "RUBY",
        "summary.rb",
        """\
require 'json'
totals = JSON.parse(File.read('totals.json'))
best, most = totals.max_by { |_, sum| sum }
File.write('summary.json', JSON.generate({ 'best' => best, 'most' => most, 'all' => totals.values.sum }))
puts "best: #{best}, #{most} of #{totals.values.sum}"
""",
    ),
    (
        "PYTHON",
        "plot.py",
        """\
import json
import matplotlib.pyplot as plt
summary = json.load(open('summary.json'))
totals = json.load(open('totals.json'))
figure, axes = plt.subplots()
axes.bar(list(totals), list(totals.values()))
axes.set_title(f"{summary['best']} leads with {summary['most']}")
figure.savefig('totals.png')
print(sorted(totals))
""",
    ),
)
#: What each program of the relay prints.
PRINTED = {
    "JAVASCRIPT": "4 orders written\n",
    "PERL": "cake 4.00\nsoup 21.00\ntea 12.50\n",
    "RUBY": "best: soup, 21 of 37.5\n",
    "PYTHON": "['cake', 'soup', 'tea']\n",
}
#: Binding -> (what asks for a variable of its program, what is answered).
REMEMBERED = {
    "JAVASCRIPT": ("orders.length + ' ' + orders[3].item", "4 soup"),
    "PERL": ("join ' ', scalar(@$orders), $total{tea}", "4 12.5"),
    "RUBY": ("[best, most].join(' ')", "soup 21"),
    "PYTHON": ("' '.join([summary['best'], str(axes.get_title())])", "soup soup leads with 21"),
}


@dataclass(frozen=True, slots=True)
class Counting:
    """A counter in a variable and in a file: set to 0, counted up, shown as "<variable> <file>"."""

    begin: str
    count: str
    show: str
    #: A number of the language's shared random generator, and of one that was seeded by hand.
    draw: str
    seed: str


COUNTING: Mapping[str, Counting] = {
    "PYTHON": Counting(
        begin="n = 0",
        count="n += 1; open('n', 'w').write(str(n)) and None",
        show="f\"{n} {open('n').read()}\"",
        draw="import random; random.random()",
        seed="random.seed(1)",
    ),
    "JAVASCRIPT": Counting(
        begin="let n = 0; const fs = require('fs')",
        count="n++; fs.writeFileSync('n', String(n))",
        show="`${n} ${fs.readFileSync('n', 'utf8')}`",
        draw="Math.random()",
        seed="undefined",
    ),
    "PERL": Counting(
        begin="my $n = 0;",
        count="$n++; open my $o, '>', 'n' or die $!; print $o $n; close $o;",
        show="open my $i, '<', 'n' or die $!; my $text = <$i>; close $i; \"$n $text\"",
        draw="rand",
        seed="srand 1;",
    ),
    "RUBY": Counting(
        begin="n = 0",
        count="n += 1; File.write('n', n.to_s)",
        show="\"#{n} #{File.read('n')}\"",
        draw="rand",
        seed="srand 1",
    ),
}
