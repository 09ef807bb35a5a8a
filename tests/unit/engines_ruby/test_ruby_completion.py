"""What the harness offers at the cursor, and that looking runs no user code."""

from collections.abc import Iterator

import pytest

import torpor
from torpor.config import Config

_NAMES = """
teapot = 1
class Pot
  LID = 3
  def self.brew = 1
  def pour = puts('poured')
  def method_missing(*) = puts('asked')
  def self.const_missing(*) = puts('asked')
end
pot = Pot.new
def pot.sing = 1
def kettle = 1
$glow = 1
@inside = pot
nil
"""


@pytest.fixture(scope="module")
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox("ruby-completion", shared_config)
    assert sandbox.interpreter.run_code(_NAMES, binding="RUBY").error is None
    yield sandbox
    sandbox.destroy()


@pytest.mark.parametrize(
    ("typed", "matches", "start"),
    [
        ("teap", ("teapot",), 0),
        ("puts teap", ("teapot",), 5),
        ('"#{teap', ("teapot",), 3),
        ("kett", ("kettle",), 0),
        ("pot.po", ("pour",), 4),
        ("pot&.po", ("pour",), 5),
        ("pot.sing", ("sing", "singleton_class", "singleton_method", "singleton_methods"), 4),
        ("Pot.br", ("brew",), 4),
        ("Pot::LI", ("LID",), 5),
        ("$glo", ("$glow",), 0),
        ("@ins", ("@inside",), 0),
        ("@inside.po", ("pour",), 8),
        ("unl", ("unless",), 0),
        ("StringSc", ("StringScanner",), 0),
        ("JSON::Ext::Gen", ("Generator",), 11),
        ("pot.pour.up", (), 9),
        ("[1].ma", (), 4),
        ("Pot::Nothing.x", (), 13),
        ("nobody.x", (), 7),
        ("", (), 0),
    ],
)
def test_completion(sandbox: torpor.Sandbox, typed: str, matches: tuple[str, ...], start: int) -> None:
    found = sandbox.interpreter.complete(typed, len(typed), binding="RUBY")
    assert (found.matches, found.start) == (matches, start)
