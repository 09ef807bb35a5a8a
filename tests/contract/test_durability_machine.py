"""Real sandboxes against a plain Python model, through evictions, crashes, limits, forks and rewinds.

Whatever happened, variables and files are those of the model: the last acknowledged state, whole.
"""

import itertools
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import torpor
from tests.contract import durability_model as model
from tests.contract.durability_model import LOOK, PROLOGUE, Memory, Operation, World
from torpor.config import Config
from torpor.models import ExecutionResult
from torpor.sandbox import ledger as ledgers
from torpor.sandbox.host import EmbeddedHost
from torpor.sandbox.sandbox import Sandbox

IDLE_TTL = 3600.0
#: Far more than an operation needs, far less than an endless loop would like.
SMALL_FUEL = 300_000
_ids = itertools.count()

names = st.sampled_from(model.NAMES)
paths = st.sampled_from(model.PATHS)
numbers = st.integers(1, 99)
operations: st.SearchStrategy[Operation] = st.one_of(
    st.builds(model.assign, names, numbers),
    st.builds(model.append, names, numbers),
    st.builds(model.forget, names),
    st.builds(model.fill, numbers),
    st.builds(model.step),
    st.builds(model.write, paths, numbers),
    st.builds(model.extend, paths, numbers),
    st.builds(model.remove, paths),
    st.builds(model.rename, paths, paths),
    st.builds(model.hold, paths),
    st.builds(model.feed, numbers, st.booleans()),
    st.builds(model.go, st.sampled_from(("", "d"))),
)
programs = st.lists(operations, min_size=1, max_size=4)


class LosesCommits:
    """A sandbox's storage that fails at every commit, as on a full disk."""

    def __init__(self, storage: Any) -> None:
        self._storage = storage

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    def commit(self, *_: object) -> None:
        raise torpor.StorageError("the disk is full")


@dataclass
class Subject:
    """One sandbox under test with its model, now and at each generation."""

    id: str
    world: World = field(default_factory=World)
    past: dict[int, World] = field(default_factory=dict)


class Durability(RuleBasedStateMachine):
    config: Config

    def __init__(self) -> None:
        super().__init__()
        self.hosts = [EmbeddedHost(self.config)]
        self.subjects: list[Subject] = []
        self.folder = Path(tempfile.mkdtemp(dir=self.config.home))

    def teardown(self) -> None:
        for subject in self.subjects:
            self.sandbox(subject).destroy()
        for host in self.hosts:
            host.close()
        shutil.rmtree(self.folder)

    # What the rules are made of -------------------------------------------------------------------

    @property
    def host(self) -> EmbeddedHost:
        return self.hosts[-1]

    def sandbox(self, subject: Subject) -> Sandbox:
        return Sandbox(subject.id, self.host)

    def pick(self, index: int) -> Subject:
        return self.subjects[index % len(self.subjects)]

    @staticmethod
    def context(subject: Subject, index: int) -> tuple[str, Memory]:
        return list(subject.world.contexts.items())[index % len(subject.world.contexts)]

    def run(self, subject: Subject, context: str, code: str, **limits: Any) -> ExecutionResult:
        return self.sandbox(subject).interpreter.run_code(code, context, **limits)

    def settled(self, subject: Subject) -> None:
        """Note the generation, and compare the files and the list of contexts."""
        sandbox = self.sandbox(subject)
        subject.past[sandbox.get_info().generation] = subject.world.copy()
        found = {
            entry.relative_path: sandbox.read_file(entry.relative_path).content
            for entry in sandbox.list_files(recursive=True, include_hidden=True)
            if entry.type == "file"
        }
        assert found == subject.world.files()
        info = sandbox.get_info()
        assert {one.id for one in info.contexts} == set(subject.world.contexts)
        assert info.env_vars == subject.world.environment

    def look(self, subject: Subject) -> None:
        """Every context has the variables it must have, and sees the files that are there."""
        for context, memory in subject.world.contexts.items():
            result = self.run(subject, context, f"said = []\n{LOOK}")
            assert result.error is None, result.error
            assert result.text == subject.world.seen(memory, [])
        self.settled(subject)

    def begin(self, subject: Subject) -> None:
        """A new sandbox with a first context."""
        sandbox = self.sandbox(subject)
        sandbox.mkdir("d")
        result = sandbox.interpreter.run_code(PROLOGUE, binding="PYTHON")
        assert result.error is None
        assert result.context is not None
        subject.world = World({result.context.id: Memory()})
        subject.past = {}
        self.settled(subject)

    # Rules ----------------------------------------------------------------------------------------

    @initialize()
    def first(self) -> None:
        self.subjects.append(Subject(f"machine-{next(_ids)}"))
        self.begin(self.subjects[0])

    @rule(at=numbers, who=numbers, program=programs, fails=st.booleans())
    def execute(self, at: int, who: int, program: list[Operation], fails: bool) -> None:
        """A failure of the code keeps what it did before, as in every REPL."""
        subject = self.pick(at)
        context, memory = self.context(subject, who)
        code, said = model.program(subject.world, memory, program)
        result = self.run(subject, context, f"{code}\n{'1 / 0' if fails else LOOK}")
        if fails:
            assert result.error is not None
            assert result.error.name == "ZeroDivisionError"
        else:
            assert result.error is None, result.error
            assert result.text == subject.world.seen(memory, said)
        self.settled(subject)

    @rule(
        at=numbers,
        who=numbers,
        program=programs,
        end=st.sampled_from(("while True: pass", "os._exit(3)", "os.abort()")),
    )
    def break_down(self, at: int, who: int, program: list[Operation], end: str) -> None:
        """Variables and files are as before; only the counter shows that something ran."""
        subject = self.pick(at)
        copy = subject.world.copy()
        context, memory = self.context(Subject("", copy), who)
        code, _ = model.program(copy, memory, program)
        result = self.run(subject, context, f"{code}\n{end}", fuel=SMALL_FUEL)
        assert result.error is not None
        assert result.rolled_back_to is not None
        self.settled(subject)

    @rule(at=numbers, who=numbers, program=programs)
    def lose_the_commit(self, at: int, who: int, program: list[Operation]) -> None:
        subject = self.pick(at)
        copy = subject.world.copy()
        context, memory = self.context(Subject("", copy), who)
        code, _ = model.program(copy, memory, program)
        ledger = self.host.ledger(subject.id)
        with (
            patch.object(ledger, "storage", LosesCommits(ledger.storage)),
            pytest.raises(torpor.StorageError),
        ):
            self.run(subject, context, code)
        self.look(subject)

    @rule(at=numbers)
    def evict(self, at: int) -> None:
        subject = self.pick(at)
        self.host.runtime.forget(subject.id)
        self.look(subject)

    @precondition(lambda self: len(self.hosts) < 4)
    @rule()
    def crash(self) -> None:
        """Another process takes over; this one is left as it is, nothing closed."""
        self.hosts.append(EmbeddedHost(self.config))
        for subject in self.subjects:
            self.look(subject)

    @precondition(lambda self: len(self.hosts) > 1)
    @rule()
    def continue_in_an_older_process(self) -> None:
        """What it holds live may be outdated, and must be noticed to be."""
        self.hosts.reverse()
        for subject in self.subjects:
            self.look(subject)

    @rule(at=numbers, path=paths, number=numbers)
    def write_from_outside(self, at: int, path: str, number: int) -> None:
        subject = self.pick(at)
        self.sandbox(subject).write_file(path, f"outside {number}")
        subject.world.inodes[subject.world.create(path)] = f"outside {number}"
        self.settled(subject)

    @rule(at=numbers, path=paths)
    def delete_from_outside(self, at: int, path: str) -> None:
        subject = self.pick(at)
        if not subject.world.held_by_others(path, None):
            self.sandbox(subject).delete_file(path, force=True)
            subject.world.names.pop(path, None)
            self.settled(subject)

    @rule(at=numbers, source=paths, to=paths)
    def move_from_outside(self, at: int, source: str, to: str) -> None:
        subject = self.pick(at)
        world = subject.world
        if source in world.names and source != to and not world.held_by_others(to, None):
            self.sandbox(subject).move_file(source, to)
            world.names[to] = world.names.pop(source)
            self.settled(subject)

    @rule(at=numbers, number=numbers)
    def set_environment(self, at: int, number: int) -> None:
        subject = self.pick(at)
        self.sandbox(subject).set_env_vars({"NUMBER": str(number)})
        subject.world.environment = {"NUMBER": str(number)}
        self.settled(subject)

    @rule(at=numbers)
    def add_context(self, at: int) -> None:
        subject = self.pick(at)
        if len(subject.world.contexts) < 3:
            context = self.sandbox(subject).interpreter.create_code_context("PYTHON")
            assert self.run(subject, context.id, PROLOGUE).error is None
            subject.world.contexts[context.id] = Memory()
            self.settled(subject)

    @rule(at=numbers, who=numbers)
    def delete_context(self, at: int, who: int) -> None:
        subject = self.pick(at)
        if len(subject.world.contexts) > 1:
            context, _ = self.context(subject, who)
            self.sandbox(subject).interpreter.delete_code_context(context)
            del subject.world.contexts[context]
            self.settled(subject)

    @rule(at=numbers, back=st.integers(0, 31))
    def rewind(self, at: int, back: int) -> None:
        subject = self.pick(at)
        sandbox = self.sandbox(subject)
        known = [e.generation for e in sandbox.history() if e.rewindable and e.generation in subject.past]
        generation = known[back % len(known)]
        sandbox.rewind(generation)
        subject.world = subject.past[generation].copy()
        self.look(subject)

    @precondition(lambda self: len(self.subjects) < 3)
    @rule(at=numbers, back=st.integers(0, 31), now=st.booleans())
    def fork(self, at: int, back: int, now: bool) -> None:
        """The copy and the original go their own ways from here."""
        subject = self.pick(at)
        known = [
            entry.generation
            for entry in self.sandbox(subject).history()
            if entry.rewindable and entry.generation in subject.past
        ]
        generation = known[0] if now else known[back % len(known)]
        copy = Subject(f"machine-{next(_ids)}", subject.past[generation].copy())
        self.sandbox(subject).fork(copy.id, None if now else generation)
        self.subjects.append(copy)
        self.look(copy)

    @precondition(lambda self: len(self.subjects) < 3)
    @rule(at=numbers)
    def export_and_import(self, at: int) -> None:
        subject = self.pick(at)
        file = self.folder / "exported"
        self.sandbox(subject).export(file, with_base_images=False)
        copy = Subject(f"machine-{next(_ids)}", subject.world.copy())
        self.host.store.import_(file, copy.id)
        self.subjects.append(copy)
        self.look(copy)

    @rule(at=numbers)
    def expire(self, at: int) -> None:
        """After its idle time nothing is left, and the id begins anew."""
        subject = self.pick(at)
        sandbox, later = self.sandbox(subject), ledgers.now_ms() + int(IDLE_TTL * 1000) + 1
        with patch.object(ledgers, "now_ms", lambda: later):
            assert not sandbox.list_files(recursive=True, include_hidden=True)
            with pytest.raises(torpor.SandboxNotFoundError):
                sandbox.get_info()
            sandbox.write_file("new", b"")
        sandbox.delete_file("new")
        self.begin(subject)


@pytest.mark.timeout(300)
def test_whatever_happens_variables_and_files_are_the_last_acknowledged(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.home.mkdir()
    idling = Config(home=config.home, cache=config.cache, idle_ttl=IDLE_TTL, resident=3)
    monkeypatch.setattr(Durability, "config", idling, raising=False)
    run_state_machine_as_test(
        Durability,
        settings=settings(
            max_examples=60,
            stateful_step_count=30,
            deadline=None,
            phases=(Phase.generate,),  # to make a failing example smaller would take minutes
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
