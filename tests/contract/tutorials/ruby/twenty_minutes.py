""" "Ruby in Twenty Minutes" and irb's introduction, about a kiosk."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.ruby.versions import INSPECT, QUOTES, RECEIVERS
from tests.contract.tutorials.snippets import Before, Snippet, Unlike

SNIPPETS = (
    Snippet(
        "Interactive Ruby: text is a value",
        '"Good morning"',
        value='"Good morning"',
    ),
    Snippet(
        "Interactive Ruby: printing gives nil",
        'puts "Good morning"',
        out="Good morning\n",
    ),
    Snippet(
        "Interactive Ruby: arithmetic",
        "[7 * 6, 2**80, 17 / 5, -17 / 5, 17 % 5, 17.0 / 5, 17.fdiv(4)]",
        value="[42, 1208925819614629174706176, 3, -4, 2, 3.4, 4.25]",
    ),
    Snippet(
        "Interactive Ruby: functions of a module",
        "Math.sqrt(3**2 + 4**2)",
        value="5.0",
    ),
    Snippet(
        "Interactive Ruby: names for values",
        """
width = 3; height = 4
area = width * height
""",
        value="12",
    ),
    Snippet(
        "Interactive Ruby: the last value has a name",
        "_ + 1",
        value="13",
    ),
    Snippet(
        "Interactive Ruby: several values at once",
        "shortest, *middle, longest = %w[fig plum peach pomegranate]",
        value='["fig", "plum", "peach", "pomegranate"]',
    ),
    Snippet(
        "Interactive Ruby: and what they got",
        """
p shortest, middle
longest.length
""",
        out='"fig"\n["plum", "peach"]\n',
        value="11",
    ),
    Snippet(
        "Methods: one without arguments",
        """
def open_kiosk
  puts "The kiosk is open."
end
""",
        value=":open_kiosk",
    ),
    Snippet(
        "Methods: called with and without parentheses",
        """
open_kiosk
open_kiosk()
""",
        out="The kiosk is open.\nThe kiosk is open.\n",
    ),
    Snippet(
        "Methods: with an argument that has a default",
        """
def offer(thing = "newspaper")
  puts "One #{thing.capitalize}, please: #{thing.length} letters"
end
offer "comic"
offer
""",
        out="One Comic, please: 5 letters\nOne Newspaper, please: 9 letters\n",
    ),
    Snippet(
        "Methods: keywords, rest and block",
        """
def order(first, *more, price: 2, **details, &change)
  total = price * (1 + more.size)
  total = change.call(total) if change
  [first, more, total, details]
end
order("tea", "bun", price: 3, to: "window") { |sum| sum - 1 }
""",
        value='["tea", ["bun"], 5, {to: "window"}]',
        before=(Before(INSPECT, value='["tea", ["bun"], 5, {:to=>"window"}]'),),
    ),
    Snippet(
        "Methods: one that does not exist",
        "close_kiosk",
        error="NameError",
        message="undefined local variable or method 'close_kiosk' for main",
        before=(
            Before(RECEIVERS, message="undefined local variable or method `close_kiosk' for main:Object"),
            Before(QUOTES, message="undefined local variable or method `close_kiosk' for main"),
        ),
    ),
    Snippet(
        "Methods: called with too much",
        'offer "tea", "bun"',
        error="ArgumentError",
        message="wrong number of arguments (given 2, expected 0..1)",
    ),
    Snippet(
        "Methods: endless ones and ones that ask",
        """
def double(n) = n * 2
def cheap?(n) = n < 3
[double(21), cheap?(double(1)), method(:double).arity]
""",
        value="[42, true, 1]",
    ),
    Snippet(
        "Classes: a first one",
        """
class Vendor
  def initialize(name = "Nobody")
    @name = name
  end

  def hello
    puts "#{@name} is selling."
  end

  def bye
    puts "#{@name} goes home."
  end
end
""",
        value=":bye",
    ),
    Snippet(
        "Classes: an object of it",
        """
vendor = Vendor.new("Pat")
vendor.hello
vendor.bye
""",
        out="Pat is selling.\nPat goes home.\n",
    ),
    Snippet(
        "Classes: what is inside is hidden",
        "vendor.name",
        error="NoMethodError",
        message="undefined method 'name' for an instance of Vendor",
        before=(
            Before(RECEIVERS, message='undefined method `name\' for #<Vendor:0x... @name="Pat">'),
            Before(QUOTES, message="undefined method `name' for an instance of Vendor"),
        ),
    ),
    Snippet(
        "Classes: an object is asked what it can do",
        """
[Vendor.instance_methods(false).sort, vendor.respond_to?("hello"), vendor.respond_to?(:name), vendor.instance_variables]
""",
        value="[[:bye, :hello], true, false, [:@name]]",
    ),
    Snippet(
        "Classes: a class is opened again",
        """
class Vendor
  attr_accessor :name
end
vendor.name = "Sam"
vendor.hello
""",
        out="Sam is selling.\n",
    ),
    Snippet(
        "Classes: the old object knows the new methods",
        'vendor.respond_to?("name=")',
        value="true",
    ),
    Snippet(
        "Objects for many: one for many vendors",
        """
class Market
  attr_accessor :names

  def initialize(names = "World")
    @names = names
  end

  def hello
    if @names.nil?
      puts "..."
    elsif @names.respond_to?("each")
      @names.each { |name| puts "#{name} is here!" }
    else
      puts "#{@names} is here!"
    end
  end

  def bye
    case @names
    in nil then puts "..."
    in [] then puts "nobody left"
    in [*, last] then puts "#{@names.join(", ")} are leaving, #{last} last."
    else puts "#{@names} is leaving."
    end
  end
end
""",
        value=":bye",
    ),
    Snippet(
        "Objects for many: with one name",
        """
market = Market.new
market.hello
market.bye
""",
        out="World is here!\nWorld is leaving.\n",
    ),
    Snippet(
        "Objects for many: with several and with none",
        """
market.names = ["Al", "Bea", "Cy"]
market.hello
market.bye
market.names = nil
market.hello
""",
        out="Al is here!\nBea is here!\nCy is here!\nAl, Bea, Cy are leaving, Cy last.\n...\n",
    ),
    Snippet(
        "Objects for many: a block with a variable around it",
        """
seen = []
%w[a b].each_with_index do |letter, index|
  seen << "#{index}#{letter}"
end
seen
""",
        value='["0a", "1b"]',
    ),
    Snippet(
        "Objects for many: the script asks whether it was started",
        "__FILE__ == $0",
        value="false",
        unlike=Unlike(
            "an entry is run as the script that was started, as the tutorial runs it", value="true"
        ),
    ),
    Snippet(
        "irb: an object shows what it holds",
        """
Coin = Struct.new(:value, :side)
Coin.new(5, :heads)
""",
        value="#<struct Coin value=5, side=:heads>",
    ),
    Snippet(
        "irb: what was shown last is still there",
        "[_.value, _.to_a]",
        value="[5, [5, :heads]]",
    ),
    Snippet(
        "irb: an entry over several lines",
        """
[1, 2, 3]
  .map { |n| n * 10 }
  .select(&:positive?)
  .sum
""",
        value="60",
    ),
    Snippet(
        "irb: a syntax error is an error",
        "def broken(",
        error="SyntaxError",
    ),
    Snippet(
        "irb: the session goes on",
        "defined?(broken).inspect + defined?(vendor)",
        value='"nillocal-variable"',
    ),
    Snippet(
        "irb: local variables are known",
        "[:width, :market, :shortest].all? { |name| binding.local_variables.include?(name) }",
        value="true",
    ),
    Snippet(
        "Interactive Ruby: everything is still there",
        "[area, vendor.name, market.names, seen, double(area), Coin.members]",
        value='[12, "Sam", nil, ["0a", "1b"], 24, [:value, :side]]',
    ),
)
