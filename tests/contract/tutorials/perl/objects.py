"""perlootut: objects; goes on where `files` ends."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet, Unlike

SNIPPETS = (
    Snippet(
        "Objects: a class with a constructor",
        """
package Tool {
    my $made = 0;
    sub new {
        my ($class, %args) = @_;
        my $self = bless { name => $args{name} // "tool", worn => 0 }, $class;
        $made++;
        return $self;
    }
    sub made { return $made }
    sub name { return $_[0]{name} }
    sub use_it { my ($self, $times) = @_; $self->{worn} += $times // 1; return $self }
    sub describe { my $self = shift; return sprintf "%s (%s, worn %d)", $self->name, ref $self, $self->{worn} }
}
my $hammer = Tool->new(name => "hammer");
say $hammer->use_it->use_it(4)->describe;
""",
        out="hammer (Tool, worn 5)\n",
    ),
    Snippet(
        "Objects: they keep their state",
        "$hammer->use_it(10)->describe",
        value="hammer (Tool, worn 15)",
    ),
    Snippet(
        "Objects: asked what they are and can do",
        """
say join " ", ref $hammer, $hammer->isa('Tool') ? 1 : 0, Tool->can('describe') ? 1 : 0, $hammer->can('fly') ? 1 : 0, UNIVERSAL::isa([], 'ARRAY') ? 1 : 0;
""",
        out="Tool 1 1 0 1\n",
    ),
    Snippet(
        "Objects: methods by name",
        """
my $method = "describe";
my $class = "Tool";
my $code = $hammer->can('name');
say $hammer->$method, "; ", $class->new->$method, "; ", $hammer->$code, "; ", Tool::made();
""",
        out="hammer (Tool, worn 15); tool (Tool, worn 0); hammer; 2\n",
    ),
    Snippet(
        "Inheritance: a child and its parent",
        """
package Saw {
    our @ISA = ('Tool');
    sub new { my ($class, %args) = @_; my $self = Tool::new($class, %args); $self->{teeth} = $args{teeth} || 20; return $self }
    sub describe { my $self = shift; return $self->SUPER::describe() . " with $self->{teeth} teeth" }
}
my $saw = Saw->new(name => "fretsaw", teeth => 32);
say $saw->use_it(2)->describe, ", ", Tool->made;
""",
        out="fretsaw (Saw, worn 2) with 32 teeth, 3\n",
    ),
    Snippet(
        "Inheritance: with parent, and more than one",
        """
package Loud { sub noise { return uc ref shift } sub describe { return "loud" } }
package Chainsaw { use parent -norequire, 'Saw', 'Loud' }
my $chainsaw = Chainsaw->new(name => "big");
say $chainsaw->noise, " ", $chainsaw->describe, " ", join ">", @Chainsaw::ISA;
""",
        out="CHAINSAW big (Chainsaw, worn 0) with 20 teeth Saw>Loud\n",
    ),
    Snippet(
        "Inheritance: in another order",
        """
package Base { sub new { return bless {}, shift } sub who { return "base" } }
package Left { our @ISA = 'Base' }
package Right { our @ISA = 'Base'; sub who { return "right" } }
package Depth { our @ISA = ('Left', 'Right') }
package Breadth { use mro 'c3'; our @ISA = ('Left', 'Right') }
say Depth->new->who, " ", Breadth->new->who, " ", join ">", @{ mro::get_linear_isa('Breadth') };
""",
        out="base right Breadth>Left>Right>Base\n",
        unlike=Unlike(
            "this build of Perl has no other order than depth first, and says so", error="CompileError"
        ),
    ),
    Snippet(
        "Inheritance: a method that nobody has",
        "$saw->sing;",
        error="PerlError",
        message='Can\'t locate object method "sing" via package "Saw" at <cell 26> line 1.',
    ),
    Snippet(
        "Inheritance: a class that is not there",
        "Lathe->new;",
        error="PerlError",
        message='Can\'t locate object method "new" via package "Lathe" (perhaps you forgot to load "Lathe"?) at <cell 27> line 1.',
    ),
    Snippet(
        "Accessors: made by code",
        """
package Bench {
    for my $field (qw(length height)) {
        no strict 'refs';
        *{"Bench::$field"} = sub { my $self = shift; $self->{$field} = shift if @_; return $self->{$field} };
    }
    sub new { return bless {}, shift }
}
my $bench = Bench->new;
$bench->length(180); $bench->height(90);
say $bench->length * $bench->height;
""",
        out="16200\n",
    ),
    Snippet(
        "Accessors: made when they are asked for",
        r"""
package Box {
    our $AUTOLOAD;
    sub new { my $class = shift; return bless {@_}, $class }
    sub AUTOLOAD { my $self = shift; my $name = $AUTOLOAD =~ s/.*:://r; return if $name eq 'DESTROY'; die "no $name\n" unless exists $self->{$name}; return $self->{$name} }
}
my $box = Box->new(nails => 200);
say $box->nails, " ", eval { $box->screws } // "error: $@";
""",
        out="200 error: no screws\n\n",
    ),
    Snippet(
        "Destruction: when the last reference goes",
        r"""
my @events;
package Lamp {
    sub new { my ($class, $name) = @_; return bless \$name, $class }
    sub DESTROY { my $self = shift; push @events, "$$self off" }
}
my $lamp = Lamp->new("desk");
{ my $short = Lamp->new("torch"); }
say "@events";
""",
        out="torch off\n",
    ),
    Snippet(
        "Destruction: in a later entry",
        """
my $second = $lamp;
undef $lamp;
push @events, "still on";
undef $second;
say join ", ", @events;
""",
        out="torch off, still on, desk off\n",
    ),
    Snippet(
        "Overloading: operators of one's own",
        """
package Length {
    use overload
        '+' => sub { Length->new($_[0]{mm} + (ref $_[1] ? $_[1]{mm} : $_[1])) },
        '-' => sub { my ($l, $r, $swap) = @_; my $d = $l->{mm} - (ref $r ? $r->{mm} : $r); Length->new($swap ? -$d : $d) },
        '<=>' => sub { my ($l, $r, $swap) = @_; my $c = (ref $l ? $l->{mm} : $l) <=> (ref $r ? $r->{mm} : $r); $swap ? -$c : $c },
        '""' => sub { $_[0]{mm} . "mm" },
        'bool' => sub { $_[0]{mm} != 0 };
    sub new { my ($class, $mm) = @_; return bless { mm => $mm }, $class }
}
my ($short, $long) = map { Length->new($_) } 30, 250;
say $short + $long, " ", 1000 - $long, " ", $short < $long ? "shorter" : "longer", " ", join " ", sort { $b <=> $a } $short, $long;
""",
        out="280mm 750mm shorter 250mm 30mm\n",
    ),
    Snippet(
        "Overloading: an object shows itself",
        "$short + 5",
        value="35mm",
    ),
    Snippet(
        "Overloading: an object that is code and a list",
        """
package Recipe { use overload '&{}' => sub { my $self = shift; sub { "step $_[0] of " . $self->{steps} } }, '@{}' => sub { [1 .. $_[0]->{steps}] }, fallback => 1; sub new { bless { steps => $_[1] }, $_[0] } }
my $recipe = Recipe->new(3);
say $recipe->(2), " ", join ",", @$recipe;
""",
        out="step 2 of 3 1,2,3\n",
    ),
    Snippet(
        "Errors: objects that are thrown",
        """
package WorkshopError {
    sub throw { my ($class, %args) = @_; die bless {%args}, $class }
    sub message { return $_[0]{message} }
}
my $fine = eval { WorkshopError->throw(message => "blade broke", tool => $saw); 1 };
say ref $@, ": ", $@->message, " (", $@->{tool}->name, ")" if !$fine && ref $@ && $@->isa('WorkshopError');
""",
        out="WorkshopError: blade broke (fretsaw)\n",
    ),
    Snippet(
        "Errors: thrown at the reader",
        'WorkshopError->throw(message => "no wood");',
        error="WorkshopError",
    ),
    Snippet(
        "Errors: with try and catch",
        r"""
use feature 'try'; no warnings qw(experimental::try);
sub careful { my $n = shift; try { die "odd\n" if $n % 2; return "even $n" } catch ($problem) { chomp $problem; return "$problem $n" } }
say careful(3), ", ", careful(4);
""",
        out="odd 3, even 4\n",
    ),
    Snippet(
        "Errors: a handler for all of them",
        r"""
my @heard;
{
    local $SIG{__DIE__} = sub { push @heard, "died: $_[0]" };
    local $SIG{__WARN__} = sub { push @heard, "warned: $_[0]" };
    warn "dust\n";
    eval { die "splinter\n" };
}
print @heard;
""",
        out="warned: dust\ndied: splinter\n",
    ),
    Snippet(
        "Tied variables: a scalar that counts",
        r"""
package Upwards { sub TIESCALAR { my ($class, $n) = @_; return bless \$n, $class } sub FETCH { return ${ $_[0] }++ } sub STORE { ${ $_[0] } = $_[1] } }
tie my $serial, 'Upwards', 7;
say "$serial $serial";
""",
        out="7 8\n",
    ),
    Snippet(
        "Tied variables: it counts on",
        """
my $taken = $serial;
$serial = 100;
say "$taken $serial";
""",
        out="9 100\n",
    ),
    Snippet(
        "Sorting objects: by more than one thing",
        """
my @bag = map { Tool->new(name => $_)->use_it(length $_) } qw(plane awl rasp file);
say join " ", map { $_->name } sort { $b->{worn} <=> $a->{worn} or $a->name cmp $b->name } @bag;
""",
        out="plane file rasp awl\n",
    ),
    Snippet(
        "Objects: everything is still there",
        r"""
say join "|", $hammer->describe, $saw->describe, Tool::made(), $bench->length, $box->nails, "$long", $recipe->(1), $serial, scalar @events, scalar keys %wanted, $memory =~ tr/\n//;
""",
        out="hammer (Tool, worn 15)|fretsaw (Saw, worn 2) with 32 teeth|8|180|200|250mm|step 1 of 3|101|3|2|3\n",
    ),
)
