"""The core classes of Ruby's official documentation; goes on where `language_syntax` ends."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.ruby.versions import INSPECT, SETS
from tests.contract.tutorials.snippets import Before, Snippet

SNIPPETS = (
    Snippet(
        "Strings: cut, searched and changed",
        """
text = +"the quick pear"
text[0] = "T"
text << "s" << 33
[text, text[-5..], text[4, 5], text =~ /q/, text.tr("a-y", "b-z"), text.center(20, "*"), text.succ, text.count("aeiou")]
""",
        value='["The quick pears!", "ears!", "quick", 4, "Tif rvjdl qfbst!", "**The quick pears!**", "The quick peart!", 5]',
    ),
    Snippet(
        "Strings: formats and encodings",
        """
[format("%05.1f|%-5s|%+d|%x|%e|%%", 3.14159, "ab", 7, 255, 12345.678), "é".bytes, "日本".encoding.name, "日本".bytesize, "abc".unpack("C*"), [1, 2].pack("S>C"), "abc".sum]
""",
        value='["003.1|ab   |+7|ff|1.234568e+04|%", [195, 169], "UTF-8", 6, [97, 98, 99], "\\x00\\x01\\x02", 294]',
    ),
    Snippet(
        "Strings: symbols are the same object",
        """
[:pear.equal?("pear".to_sym), "pear" == +"pear", "pear".equal?(+"pear"), :b <=> :a, :size.to_proc.call("four")]
""",
        value="[true, true, false, 1, 4]",
    ),
    Snippet(
        "Regular expressions: names, parts and what was last matched",
        r"""
line = "2031-09-14 picked 40kg of apples"
if line =~ /(?<day>\d{4}-\d\d-\d\d)\s+picked\s+(?<amount>\d+)kg/
  puts $~[:day], $1, $', $~.pre_match.inspect
end
/(?<weight>\d+)kg/ =~ line
weight.to_i + 2
""",
        out='2031-09-14\n2031-09-14\n of apples\n""\n',
        value="42",
    ),
    Snippet(
        "Regular expressions: scanning and replacing",
        r"""
[line.scan(/\d+/), line.gsub(/(\d+)(kg)/) { "#{$1.to_i * 1000}g" }, line.sub(/(?<y>\d+)-(?<m>\d+)/, '\k<m>/\k<y>'), line[/of (\w+)/, 1], "a,b;c".split(/[,;]/), line.match?(/plum/)]
""",
        value='[["2031", "09", "14", "40"], "2031-09-14 picked 40000g of apples", "09/2031-14 picked 40kg of apples", "apples", ["a", "b", "c"], false]',
    ),
    Snippet(
        "Collections: an array in many ways",
        """
heap = [5, 3, 9, 1]
heap.push(7).unshift(0).delete(9)
[heap.sort, heap.minmax, heap.partition(&:even?), heap.each_cons(2).map { |x, y| y - x }, heap.rotate(2), heap.zip(heap.reverse).first, heap.dig(0), heap.values_at(0, -1), heap * "-"]
""",
        value='[[0, 1, 3, 5, 7], [0, 7], [[0], [5, 3, 1, 7]], [5, -2, -2, 6], [3, 1, 7, 0, 5], [0, 7], 0, [0, 7], "0-5-3-1-7"]',
    ),
    Snippet(
        "Collections: enumerable for everything",
        """
fruit = %w[fig apple kiwi plum apricot]
[fruit.group_by(&:size), fruit.map { |f| f[0] }.tally, fruit.each_with_object({}) { |f, h| (h[f.size] ||= []) << f[0] }, fruit.reduce { |x, y| x.size > y.size ? x : y }, fruit.chunk_while { |x, y| x.size <= y.size }.to_a, fruit.sum(&:size), fruit.sort_by { |f| [-f.size, f] }]
""",
        value='[{3 => ["fig"], 5 => ["apple"], 4 => ["kiwi", "plum"], 7 => ["apricot"]}, {"f" => 1, "a" => 2, "k" => 1, "p" => 1}, {3 => ["f"], 5 => ["a"], 4 => ["k", "p"], 7 => ["a"]}, "apricot", [["fig", "apple"], ["kiwi", "plum", "apricot"]], 23, ["apricot", "apple", "kiwi", "plum", "fig"]]',
        before=(
            Before(
                INSPECT,
                value='[{3=>["fig"], 5=>["apple"], 4=>["kiwi", "plum"], 7=>["apricot"]}, {"f"=>1, "a"=>2, "k"=>1, "p"=>1}, {3=>["f"], 5=>["a"], 4=>["k", "p"], 7=>["a"]}, "apricot", [["fig", "apple"], ["kiwi", "plum", "apricot"]], 23, ["apricot", "apple", "kiwi", "plum", "fig"]]',
            ),
        ),
    ),
    Snippet(
        "Collections: a hash with a default",
        """
stock = Hash.new { |hash, key| hash[key] = key.to_s.size }
stock[:plum] += 10
stock["fig"]
[stock, stock.key(14), stock.transform_values { |n| n * 2 }, stock.to_a.flatten, stock.select { |_, n| n > 5 }, stock.min_by(&:last), stock.any? { |k, _| k == :kiwi }]
""",
        value='[{plum: 14, "fig" => 3}, :plum, {plum: 28, "fig" => 6}, [:plum, 14, "fig", 3], {plum: 14}, ["fig", 3], false]',
        before=(
            Before(
                INSPECT,
                value='[{:plum=>14, "fig"=>3}, :plum, {:plum=>28, "fig"=>6}, [:plum, 14, "fig", 3], {:plum=>14}, ["fig", 3], false]',
            ),
        ),
    ),
    Snippet(
        "Collections: its block is still there",
        """
stock[:cherry] -= 1
stock
""",
        value='{plum: 14, "fig" => 3, cherry: 5}',
        before=(Before(INSPECT, value='{:plum=>14, "fig"=>3, :cherry=>5}'),),
    ),
    Snippet(
        "Collections: sets",
        """
require "set"
grown = Set.new(%w[apple pear])
sold = Set["pear", "plum"]
[grown & sold, grown | sold, (grown ^ sold).sort, grown.add?("apple"), grown.superset?(Set["pear"])]
""",
        value='[Set["pear"], Set["apple", "pear", "plum"], ["apple", "plum"], nil, true]',
        before=(
            Before(
                SETS,
                value='[#<Set: {"pear"}>, #<Set: {"apple", "pear", "plum"}>, ["apple", "plum"], nil, true]',
            ),
        ),
    ),
    Snippet(
        "Collections: structures",
        """
Point = Struct.new(:x, :y, keyword_init: true) do
  def +(other) = Point.new(x: x + other.x, y: y + other.y)
end
place = Point.new(x: 1, y: 2) + Point.new(x: 3, y: 4)
[place, place == Point.new(x: 4, y: 6), place.to_h]
""",
        value="[#<struct Point x=4, y=6>, true, {x: 4, y: 6}]",
        before=(Before(INSPECT, value="[#<struct Point x=4, y=6>, true, {:x=>4, :y=>6}]"),),
    ),
    Snippet(
        "Collections: lazy ones",
        """
primes = (2..).lazy.select { |n| (2..Math.sqrt(n)).none? { |d| (n % d).zero? } }
[primes.first(6), primes.map { |n| n * n }.reject(&:even?).first(2)]
""",
        value="[[2, 3, 5, 7, 11, 13], [9, 25]]",
    ),
    Snippet(
        "Enumerators and fibers: an enumerator waits between entries",
        """
letters = %w[a b c].each
rows = Enumerator.new { |y| n = 0; loop { y << "row #{n += 1}" } }
[letters.next, rows.next, rows.peek]
""",
        value='["a", "row 1", "row 2"]',
    ),
    Snippet(
        "Enumerators and fibers: it goes on",
        "[letters.next, rows.next, letters.next, rows.take(1)]",
        value='["b", "row 2", "c", ["row 1"]]',
    ),
    Snippet(
        "Enumerators and fibers: until it is at its end",
        "letters.next",
        error="StopIteration",
        message="iteration reached an end",
    ),
    Snippet(
        "Enumerators and fibers: a fiber is suspended in the middle",
        """
watering = Fiber.new do |amount|
  total = 0
  loop do
    total += amount
    amount = Fiber.yield("#{total} litres")
  end
end
watering.resume(5)
""",
        value='"5 litres"',
    ),
    Snippet(
        "Enumerators and fibers: and is resumed with something new",
        "[watering.resume(10), watering.resume(1), watering.alive?]",
        value='["15 litres", "16 litres", true]',
    ),
    Snippet(
        "Enumerators and fibers: a generator of pairs",
        """
pairs = Fiber.new { [1, 2].each { |x| %i[a b].each { |y| Fiber.yield [x, y] } }; :end }
pairs.resume
""",
        value="[1, :a]",
    ),
    Snippet(
        "Enumerators and fibers: deep inside two loops",
        "[pairs.resume, pairs.resume, pairs.resume, pairs.resume, pairs.alive?]",
        value="[[1, :b], [2, :a], [2, :b], :end, false]",
    ),
    Snippet(
        "Files: written in a block and read by line",
        r"""
File.open("orchard.txt", "w") { |file| file.puts "apple 40", "pear 12"; file.print "plum", " ", 7, "\n" }
File.foreach("orchard.txt").map { |l| l.chomp.split.last.to_i }.sum
""",
        value="59",
    ),
    Snippet(
        "Files: one that stays open",
        """
book = File.open("orchard.txt", "r+")
book.gets
""",
        value='"apple 40\\n"',
    ),
    Snippet(
        "Files: it is where it was",
        "[book.lineno, book.gets, book.pos, book.eof?]",
        value='[1, "pear 12\\n", 17, false]',
    ),
    Snippet(
        "Files: it is written to and rewound",
        r"""
book.seek(0, IO::SEEK_END)
book.write("fig 3\n")
book.rewind
[book.readlines.last, book.close, book.closed?]
""",
        value='["fig 3\\n", nil, true]',
    ),
    Snippet(
        "Files: what is known about them",
        r"""
Dir.mkdir("boxes")
File.write("boxes/a.csv", "1;2\n3;4\n")
[File.exist?("orchard.txt"), File.size("boxes/a.csv"), File.directory?("boxes"), Dir.children("boxes"), File.extname("boxes/a.csv"), File.basename("boxes/a.csv", ".csv"), Dir.glob("*").sort]
""",
        value='[true, 8, true, ["a.csv"], ".csv", "a", ["boxes", "orchard.txt"]]',
    ),
    Snippet(
        "Files: one that is not there",
        'File.read("meadow.txt")',
        error="Errno::ENOENT",
        message="No such file or directory @ rb_sysopen - meadow.txt",
    ),
    Snippet(
        "Files: text as a file",
        r"""
require "stringio"
io = StringIO.new("one\ntwo\nthree\n")
io.gets
""",
        value='"one\\n"',
    ),
    Snippet(
        "Files: read on",
        "[io.read, io.pos, io.gets]",
        value='["two\\nthree\\n", 14, nil]',
    ),
    Snippet(
        "Standard library: JSON, time and digests",
        """
require "json"
require "time"
require "digest"
packed = JSON.generate({ "rows" => ROWS, n: 1.5, none: nil })
[packed, JSON.parse(packed, symbolize_names: true), Time.at(0).utc.iso8601, Time.utc(2031, 9, 14).strftime("%a %d %b %Y"), Digest::SHA256.hexdigest("pear")[0, 12]]
""",
        value='["{\\"rows\\":[\\"east\\",\\"west\\"],\\"n\\":1.5,\\"none\\":null}", {rows: ["east", "west"], n: 1.5, none: nil}, "1970-01-01T00:00:00Z", "Sun 14 Sep 2031", "97cfbe87531a"]',
        before=(
            Before(
                INSPECT,
                value='["{\\"rows\\":[\\"east\\",\\"west\\"],\\"n\\":1.5,\\"none\\":null}", {:rows=>["east", "west"], :n=>1.5, :none=>nil}, "1970-01-01T00:00:00Z", "Sun 14 Sep 2031", "97cfbe87531a"]',
            ),
        ),
    ),
    Snippet(
        "Standard library: a module from a file",
        r"""
File.write("grafting.rb", "module Grafting\n  COUNT = [0]\n  def self.graft(a, b) = \"\#{a}+\#{b} \#{COUNT[0] += 1}\"\nend\n")
[require("./grafting"), require("./grafting"), Grafting.graft("apple", "quince")]
""",
        value='[true, false, "apple+quince 1"]',
    ),
    Snippet(
        "Standard library: its state lives on",
        'Grafting.graft("pear", "quince")',
        value='"pear+quince 2"',
    ),
    Snippet(
        "Standard library: marshalled and copied",
        """
copy = Marshal.load(Marshal.dump(trees))
[copy.map(&:to_s) == trees.map(&:to_s), copy[0].equal?(trees[0]), trees.dup[0].equal?(trees[0]), ObjectSpace.respond_to?(:each_object)]
""",
        value="[true, false, true, true]",
    ),
    Snippet(
        "Miscellaneous: questions to objects",
        """
[basket.frozen?, ROWS.frozen?, 5.instance_of?(Integer), Integer === 5, kind.then { |k| k * 2 }, 5.between?(1, 9), defined?(@nothing), self.to_s, __method__.inspect]
""",
        value='[false, true, true, true, "pearpear", true, nil, "main", "nil"]',
    ),
    Snippet(
        "Miscellaneous: numbers as they are",
        """
[10.divmod(-3), 3.7.round, 2.5.round, 2.5.round(half: :even), 1e20.to_i, 0.1 + 0.2, 1/3r + 1/6r, Complex(1, 2) * 2, 255.digits, 10.gcd(4), 1234567.89.floor(-3), Float::NAN.nan?, 3.zero?]
""",
        value="[[-4, -2], 4, 3, 2, 100000000000000000000, 0.30000000000000004, (1/2), (2+4i), [5, 5, 2], 2, 1234000, true, false]",
    ),
    Snippet(
        "Miscellaneous: everything is still there",
        """
[$harvest, kind, counter, pick.call, Tree.planted, stock.size, place.x, rows.next, watering.resume(0), weight]
""",
        value='[98, "pear", 5, 6, 3, 3, 4, "row 3", "16 litres", "40"]',
    ),
)
