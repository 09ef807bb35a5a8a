"""What could stand at the cursor in a Perl context, and that asking for it runs nothing."""

from collections.abc import Iterator

import pytest

import torpor
from tests.contract.sandbox_kit import new_id
from torpor.config import Config

DEFINED = """
use List::Util qw(shuffle);
my $teapot = { colour => 'blue', cups => 4 };
my @teacups = (1, 2);
my %teabags = (green => 1, grey => 2);
our $teatime = 5;
sub tea_of { 1 }
my sub tea_secret { 1 }
package Kettle { sub new { bless {}, shift } sub boil { die 'boiled' } sub _steam { 1 } }
package Kettle::Small { our @ISA = 'Kettle'; sub whistle { die 'whistled' } }
my $kettle = Kettle::Small->new;
package Trap { sub TIESCALAR { bless [] } sub FETCH { die 'read' } }
tie my $trap, 'Trap';
1
"""


@pytest.fixture(scope="module")
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox(new_id(), shared_config)
    assert sandbox.interpreter.run_code(DEFINED, binding="PERL").error is None
    yield sandbox
    sandbox.destroy()


@pytest.mark.parametrize(
    ("code", "matches"),
    [
        ("$tea", ["teabags", "teacups", "teapot", "teatime"]),
        ("@tea", ["teacups"]),
        ("%tea", ["teabags"]),
        ("tea", ["tea_of", "tea_secret"]),
        ("&tea", ["tea_of", "tea_secret"]),
        ("my $x = $teap| + 1", ["teapot"]),
        ("$kettle->w", ["whistle"]),
        ("$kettle->bo", ["boil"]),
        ("Kettle->ne", ["new"]),
        ("Kettle::Sm", ["Kettle::Small"]),
        ("Kettl", ["Kettle"]),
        ("$teapot->{c", ["colour", "cups"]),
        ("$teabags{gre", ["green", "grey"]),
        ("shuf", ["shuffle"]),
        ("forea", ["foreach"]),
        ("$trap->x", []),
        ("$nothing->x", []),
        ("1 + ", []),
        ("", []),
    ],
)
def test_completion(sandbox: torpor.Sandbox, code: str, matches: list[str]) -> None:
    cursor = code.index("|") if "|" in code else len(code)
    found = sandbox.interpreter.complete(code.replace("|", ""), cursor, binding="PERL")
    assert list(found.matches) == matches


def test_a_match_replaces_the_word_before_the_cursor(sandbox: torpor.Sandbox) -> None:
    assert sandbox.interpreter.complete("print $teap", 11, binding="PERL").start == 7


def test_asking_changes_nothing(sandbox: torpor.Sandbox) -> None:
    before = sandbox.get_info().generation
    sandbox.interpreter.complete("$kettle->", 9, binding="PERL")
    assert sandbox.get_info().generation == before
    assert sandbox.interpreter.run_code("ref $kettle", binding="PERL").text == "Kettle::Small"
