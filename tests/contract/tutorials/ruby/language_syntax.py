"""The syntax pages of Ruby's official documentation, about an orchard."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.ruby.versions import INSPECT, QUOTES, RECEIVERS
from tests.contract.tutorials.snippets import Before, Snippet

SNIPPETS = (
    Snippet(
        "Literals: of every kind",
        """
[0x1f, 0b101, 0o17, 1_000, 1.5e3, 3r, 2i, 1..3, 1...3, :apple, :"two words", %i[a b], ?x, nil, true]
""",
        value='[31, 5, 15, 1000, 1500.0, (3/1), (0+2i), 1..3, 1...3, :apple, :"two words", [:a, :b], "x", nil, true]',
    ),
    Snippet(
        "Literals: text in many quotes",
        r"""
kind = "pear"
[%q(it's #{kind}), %Q(a #{kind}), 'a\nb', "a\tb", "\u00e9\u{1F34E}", "caf" "é"]
""",
        value='["it\'s \\#{kind}", "a pear", "a\\\\nb", "a\\tb", "é🍎", "café"]',
    ),
    Snippet(
        "Literals: a document in place",
        """
card = <<~CARD
  Name: #{kind}
    Colour: #{"green".upcase}
  Kilos: #{2 + 3}
CARD
print card
card.lines.size
""",
        out="Name: pear\n  Colour: GREEN\nKilos: 5\n",
        value="3",
    ),
    Snippet(
        "Literals: a hash with shortened keys",
        """
kilos = 12
basket = { kind:, kilos:, "origin" => "north", 4 => [nil], nested: { deep: :yes } }
""",
        value='{kind: "pear", kilos: 12, "origin" => "north", 4 => [nil], nested: {deep: :yes}}',
        before=(
            Before(
                INSPECT,
                value='{:kind=>"pear", :kilos=>12, "origin"=>"north", 4=>[nil], :nested=>{:deep=>:yes}}',
            ),
        ),
    ),
    Snippet(
        "Literals: text that is frozen",
        '"pear".freeze << "s"',
        error="FrozenError",
        message='can\'t modify frozen String: "pear"',
    ),
    Snippet(
        "Assignment: swapped, nested and optional",
        """
a, (b, *c), d = 1, [2, 3, 4], 5
a, d = d, a
limit ||= 10
limit += 1
[a, b, c, d, limit]
""",
        value="[5, 2, [3, 4], 1, 11]",
    ),
    Snippet(
        "Assignment: globals and constants",
        """
$harvest = 100
ROWS = %w[east west].freeze
$harvest -= ROWS.size
""",
        value="98",
    ),
    Snippet(
        "Control expressions: a value from an if",
        """
ripe = if kilos > 10 then "ripe" else "green" end
state = kilos.zero? ? "none" : ripe
"#{state}, #{"not " unless kilos > 20}heavy"
""",
        value='"ripe, not heavy"',
    ),
    Snippet(
        "Control expressions: a case",
        r"""
def size_of(fruit)
  case fruit
  when 0, nil then :none
  when 1..5 then :few
  when Integer, Float then :many
  when /\Aa lot/i then :much
  when ->(f) { f.respond_to?(:each) } then :several
  else :unknown
  end
end
[0, 3, 8.5, "A lot of", [1], "x"].map { |fruit| size_of(fruit) }
""",
        value="[:none, :few, :many, :much, :several, :unknown]",
    ),
    Snippet(
        "Control expressions: loops that are left early",
        """
found = (1..Float::INFINITY).each { |n| break n if n % 7 == 3 && n.even? }
odd = []
10.times { |n| next if n.even?; break if n > 7; odd << n }
i = 0
i += 3 until i > 10
[found, odd, i]
""",
        value="[10, [1, 3, 5, 7], 12]",
    ),
    Snippet(
        "Control expressions: a range and its steps",
        """
[(1..10).step(4).to_a, 10.downto(7).to_a, ("a".."e").each_slice(2).to_a, 1.step(2, 0.5).to_a]
""",
        value='[[1, 5, 9], [10, 9, 8, 7], [["a", "b"], ["c", "d"], ["e"]], [1.0, 1.5, 2.0]]',
    ),
    Snippet(
        "Pattern matching: arrays and hashes",
        """
config = { tree: "apple", rows: [4, 5, 6], soil: { ph: 6.5 } }
case config
in { tree: String => tree, rows: [first, *], soil: { ph: 6.0..7.0 => ph } } if first > 3
  puts "#{tree} #{first} #{ph}"
end
""",
        out="apple 4 6.5\n",
    ),
    Snippet(
        "Pattern matching: finding and pinning",
        """
wanted = 5
config => { rows: [*before, ^wanted, *after] }
[before, after, (config in { soil: { ph: Integer } })]
""",
        value="[[4], [6], false]",
    ),
    Snippet(
        "Pattern matching: nothing fits",
        """
case [1, 2]
in [Integer] then 1
in { name: } then name
end
""",
        error="NoMatchingPatternError",
        message="[1, 2]",
    ),
    Snippet(
        "Methods: blocks and yield",
        """
def each_row
  return to_enum(:each_row) unless block_given?
  ROWS.each { |row| yield row, row.size }
  :done
end
result = each_row { |row, size| puts "#{row}: #{size}" }
[result, each_row.to_a]
""",
        out="east: 4\nwest: 4\n",
        value='[:done, [["east", 4], ["west", 4]]]',
    ),
    Snippet(
        "Methods: procs, lambdas and composition",
        """
add = ->(x, y = 1) { x + y }
triple = proc { |n| n.to_i * 3 }
plus_two = add.curry(2)[2]
[add.(4), triple[5, 6], (plus_two >> triple).call(1), (plus_two << triple).call(1), %w[a b].map(&:upcase), add.lambda?]
""",
        value='[5, 15, 9, 5, ["A", "B"], true]',
    ),
    Snippet(
        "Methods: a closure remembers",
        """
counter = 0
pick = -> { counter += 1 }
3.times { pick.() }
pick.call
""",
        value="4",
    ),
    Snippet(
        "Methods: and goes on in another entry",
        "[pick.call, counter]",
        value="[5, 5]",
    ),
    Snippet(
        "Methods: a lambda wants all it asked for",
        "add.()",
        error="ArgumentError",
        message="wrong number of arguments (given 0, expected 1..2)",
    ),
    Snippet(
        "Methods: missing ones are answered",
        """
class Ghost
  def method_missing(name, *arguments)
    name.end_with?("?") ? arguments : super
  end
  def respond_to_missing?(name, all = false) = name.end_with?("?") || super
end
[Ghost.new.there?(1, 2), Ghost.new.respond_to?(:any?), Ghost.new.respond_to?(:any)]
""",
        value="[[1, 2], true, false]",
    ),
    Snippet(
        "Methods: unless nobody answers",
        "Ghost.new.there",
        error="NoMethodError",
        message="undefined method 'there' for an instance of Ghost",
        before=(
            Before(RECEIVERS, message="undefined method `there' for #<Ghost:0x...>"),
            Before(QUOTES, message="undefined method `there' for an instance of Ghost"),
        ),
    ),
    Snippet(
        "Modules and classes: inheritance and super",
        """
class Tree
  include Comparable
  attr_reader :height
  @@planted = 0
  class << self
    def planted = @@planted
  end
  def initialize(height)
    @height = height
    @@planted += 1
  end
  def <=>(other) = height <=> other.height
  def to_s = "#{self.class.name.downcase} of #{height}m"
end
class Cherry < Tree
  def initialize(height, sweet: true)
    super(height)
    @sweet = sweet
  end
  def to_s = super + (@sweet ? ", sweet" : ", sour")
end
trees = [Cherry.new(4), Tree.new(9), Cherry.new(6, sweet: false)]
puts trees.sort, trees.max
[trees.min.height, trees[2].clamp(*trees.first(2)).height, Tree.planted, Cherry.ancestors.first(3)]
""",
        out="cherry of 4m, sweet\ncherry of 6m, sour\ntree of 9m\ntree of 9m\n",
        value="[4, 6, 3, [Cherry, Tree, Comparable]]",
    ),
    Snippet(
        "Modules and classes: a mixin and its hook",
        """
module Labelled
  def self.included(base) = base.extend(ClassMethods)
  module ClassMethods
    def label(text = nil) = text ? @label = text : @label
  end
  def label = "[#{self.class.label}]"
end
class Crate
  include Labelled
  label "fragile"
end
[Crate.new.label, Crate.include?(Labelled), Crate.new.is_a?(Labelled)]
""",
        value='["[fragile]", true, true]',
    ),
    Snippet(
        "Modules and classes: visibility",
        """
class Crate
  def open = secret
  private
  def secret = "straw"
end
puts Crate.new.open
Crate.new.secret
""",
        out="straw\n",
        error="NoMethodError",
        message="private method 'secret' called for an instance of Crate",
        before=(
            Before(RECEIVERS, message="private method `secret' called for #<Crate:0x...>"),
            Before(QUOTES, message="private method `secret' called for an instance of Crate"),
        ),
    ),
    Snippet(
        "Modules and classes: one object's own methods",
        """
lucky = Crate.new
def lucky.label = "lucky " + super
[lucky.label, lucky.singleton_methods, Crate.new.label]
""",
        value='["lucky [fragile]", [:label], "[fragile]"]',
    ),
    Snippet(
        "Modules and classes: defined while running",
        """
Tree.class_eval do
  %w[plant fell].each { |verb| define_method(:"#{verb}!") { "#{verb}ed #{self}" } }
end
[trees[1].plant!, trees[0].public_send(:fell!), Tree.instance_method(:plant!).name, trees[0].instance_variable_get(:@sweet)]
""",
        value='["planted tree of 9m", "felled cherry of 4m, sweet", :plant!, true]',
    ),
    Snippet(
        "Refinements: only where they are used",
        """
module Shout
  refine String do
    def shout = upcase + "!"
  end
end
module Loud
  using Shout
  def self.call(text) = text.shout
end
[Loud.call("plums"), "plums".respond_to?(:shout)]
""",
        value='["PLUMS!", false]',
    ),
    Snippet(
        "Exceptions: caught, retried and cleaned up after",
        """
class PestError < StandardError
  def initialize(pest, message = "#{pest} in the orchard") = super(message)
end
tries = 0
outcome = begin
  tries += 1
  raise PestError.new("aphids") if tries < 3
rescue PestError => error
  puts error.message
  retry
else
  "clean after #{tries}"
ensure
  puts "looked"
end
""",
        out="aphids in the orchard\naphids in the orchard\nlooked\n",
        value='"clean after 3"',
    ),
    Snippet(
        "Exceptions: of one's own, reaching the reader",
        """
tries = 40
raise PestError, "moths"
""",
        error="PestError",
        message="moths in the orchard",
    ),
    Snippet(
        "Exceptions: what was done before stays",
        "tries",
        value="40",
    ),
    Snippet(
        "Exceptions: causes and full stories",
        """
begin
  begin
    Integer("twelve")
  rescue ArgumentError
    raise PestError.new("number")
  end
rescue => error
  [error.class, error.cause.class, error.cause.message, error.message]
end
""",
        value='[PestError, ArgumentError, "invalid value for Integer(): \\"twelve\\"", "number in the orchard"]',
    ),
    Snippet(
        "Exceptions: dividing by nothing",
        "kilos / 0",
        error="ZeroDivisionError",
        message="divided by 0",
    ),
    Snippet(
        "Exceptions: asking nil",
        "nil.upcase",
        error="NoMethodError",
        message="undefined method 'upcase' for nil",
        before=(
            Before(RECEIVERS, message="undefined method `upcase' for nil:NilClass"),
            Before(QUOTES, message="undefined method `upcase' for nil"),
        ),
    ),
    Snippet(
        "Exceptions: the wrong type",
        '"3" + 4',
        error="TypeError",
        message="no implicit conversion of Integer into String",
    ),
    Snippet(
        "Exceptions: a key that is missing",
        "basket.fetch(:colour)",
        error="KeyError",
        message="key not found: :colour",
    ),
    Snippet(
        "Exceptions: throw and catch",
        """
caught = catch(:ripe) do
  trees.each { |tree| throw :ripe, tree.to_s if tree.height > 5 }
  "none"
end
""",
        value='"tree of 9m"',
    ),
)
