"""A store against a plain model of it: whatever is done in whatever order, every state that can be
reached is the one that was committed, files, memory and all."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from store_kit import BLANK, PAGES, ROOT, committed, context, creation, digest, file, page, record, restore
from torpor import limits
from torpor.stores.base import Commit, Head, Store
from torpor.stores.embedded import EmbeddedStore
from torpor.workspace.manifest import Changes

STORES: dict[str, Callable[[Path], Store]] = {"embedded": EmbeddedStore}
NAMES = st.sampled_from(["a", "A", "b.c"])
CONTEXTS = st.sampled_from(["c1", "c2"])
ENVIRONMENTS = st.dictionaries(st.sampled_from("VW"), st.text(max_size=2))
PATHS = st.sampled_from(["x", "y", "z"])


@dataclass(frozen=True)
class State:
    """A generation: contents by path, (executions, memory, tip) by context, the environment."""

    files: dict[str, bytes] = field(default_factory=dict)
    contexts: dict[str, tuple[int, bytes, str]] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)


class StoreMachine(RuleBasedStateMachine):
    open_store: Callable[[Path], Store]

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.store = self.open_store(self.folder / "home")
        self.model: dict[str, list[State]] = {}
        self.records = 0

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.store.close()
            shutil.rmtree(self.folder)

    def _commit(self, name: str, commit: Commit, state: State) -> None:
        sandbox = self.store.sandbox(name)
        committed(sandbox.commit(len(self.model.get(name, [])), commit))
        self.model.setdefault(name, []).append(state)

    @rule(name=NAMES, value=st.text(max_size=3))
    def create(self, name: str, value: str) -> None:
        if name not in self.model:
            state = State(env={"V": value})
            self._commit(name, creation(env=state.env, files=Changes((ROOT,), (), 2)), state)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), context_id=CONTEXTS, count=st.sampled_from([1, 1, 1, 2, 40]))
    def execute(self, data: st.DataObject, context_id: str, count: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        for _ in range(count):
            self._execute(name, context_id, data.draw(st.sampled_from(["none", "few", "raw", "both"])))

    def _execute(self, name: str, context_id: str, kind: str) -> None:
        state = self.model[name][-1]
        executions, memory, parent = state.contexts.get(context_id, (0, BLANK, ""))
        self.records += 1
        tip = f"r{self.records}"
        raw = [(self.records % (PAGES - 4), 4)] if kind in ("raw", "both") else []
        changed = [(self.records * 7) % PAGES] if kind in ("few", "both") else []
        new = [memory[n * limits.PAGE_BYTES :][: limits.PAGE_BYTES] for n in range(PAGES)]
        for number in [*changed, *(n for first, length in raw for n in range(first, first + length))]:
            new[number] = page(self.records * PAGES + number)
        after = b"".join(new)
        commit = Commit(
            "execution",
            3_000,
            context_id=context_id,
            contexts=(context(context_id, tip, executions + 1),),
            records=(record(tip, parent or None, memory, after, raw),),
        )
        contexts = state.contexts | {context_id: (executions + 1, after, tip)}
        self._commit(name, commit, State(state.files, contexts, state.env))

    @precondition(lambda self: self.model)
    @rule(data=st.data(), writes=st.dictionaries(PATHS, st.binary(max_size=20)), deleted=st.sets(PATHS))
    def change_files(self, data: st.DataObject, writes: dict[str, bytes], deleted: set[str]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        state = self.model[name][-1]
        entries = tuple(file(path, content) for path, content in writes.items())
        commit = Commit(
            "files",
            3_000,
            files=Changes(entries, tuple(deleted), 20),
            contents={digest(content): content for content in writes.values()},
        )
        files = {path: content for path, content in state.files.items() if path not in deleted} | writes
        self._commit(name, commit, State(files, state.contexts, state.env))

    @precondition(lambda self: self.model)
    @rule(
        data=st.data(), context_id=CONTEXTS, env=st.dictionaries(st.sampled_from("VW"), st.text(max_size=2))
    )
    def remove_context(self, data: st.DataObject, context_id: str, env: dict[str, str]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        state = self.model[name][-1]
        contexts = {key: value for key, value in state.contexts.items() if key != context_id}
        commit = Commit("context", 3_000, removed_contexts=(context_id,), env=env)
        self._commit(name, commit, State(state.files, contexts, env))

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        states = self.model[name]
        generation = data.draw(st.integers(self._oldest(name), len(states)))
        committed(self.store.sandbox(name).rewind(len(states), generation, 4_000))
        states.append(states[generation - 1])

    @precondition(lambda self: self.model)
    @rule(data=st.data(), new_name=NAMES)
    def fork(self, data: st.DataObject, new_name: str) -> None:
        if new_name not in self.model:
            source = data.draw(st.sampled_from(sorted(self.model)))
            generation = data.draw(st.integers(self._oldest(source), len(self.model[source])))
            self.store.fork(source, new_name, generation, 5_000)
            self.model[new_name] = [self.model[source][generation - 1]]

    @precondition(lambda self: self.model)
    @rule(data=st.data(), new_name=NAMES)
    def export_and_import(self, data: st.DataObject, new_name: str) -> None:
        if new_name not in self.model:
            source = data.draw(st.sampled_from(sorted(self.model)))
            self.store.export(source, self.folder / "exported", with_base_images=False)
            self.store.import_(self.folder / "exported", new_name)
            self.model[new_name] = [self.model[source][-1]]

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def maintain(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        self.store.sandbox(name).maintain()

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        assert self.store.delete(name)
        del self.model[name]

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self.open_store(self.folder / "home")

    def _oldest(self, name: str) -> int:
        return max(1, len(self.model[name]) - limits.REWINDABLE_GENERATIONS + 1)

    @invariant()
    def the_same_sandboxes_exist(self) -> None:
        assert self.store.list() == tuple(sorted(self.model))

    @invariant()
    def every_state_is_the_one_that_was_committed(self) -> None:
        for name, states in self.model.items():
            sandbox = self.store.sandbox(name)
            head = sandbox.head()
            assert head is not None
            assert head.generation == len(states)
            assert [entry.generation for entry in sandbox.history()] == list(range(len(states), 0, -1))
            for generation in {self._oldest(name), (self._oldest(name) + len(states)) // 2}:
                self._check(name, sandbox.at(generation), states[generation - 1])
            self._check(name, head, states[-1])
            sandbox.close()

    def _check(self, name: str, head: Head, state: State) -> None:
        sandbox = self.store.sandbox(name)
        found = {path: e.digest for path, e in head.manifest.entries.items() if e.kind == "file"}
        assert found == {path: digest(content) for path, content in state.files.items()}
        contents = sandbox.contents([digest(content) for content in state.files.values()])
        assert contents == {digest(content): content for content in state.files.values()}
        assert dict(head.env) == state.env
        assert set(head.contexts) == set(state.contexts)
        for key, (executions, memory, tip) in state.contexts.items():
            row = head.contexts[key]
            assert row.snapshot is not None
            assert (row.executions, row.snapshot.tip) == (executions, tip)
            assert restore(sandbox.records(tip)) == memory
        sandbox.close()


@pytest.mark.parametrize("implementation", STORES)
def test_a_store_behaves_as_its_model(implementation: str) -> None:
    machine = type("Machine", (StoreMachine,), {"open_store": staticmethod(STORES[implementation])})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
