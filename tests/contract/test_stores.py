"""What every store promises. Each implementation is one entry of `STORES` and passes all of it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store_kit import (
    BASE,
    BASE_IMAGE,
    ROOT,
    Session,
    committed,
    context,
    creation,
    digest,
    file,
    files_commit,
    page,
    restore,
)
from torpor import limits
from torpor.errors import (
    GenerationNotFoundError,
    MissingBaseImageError,
    SandboxBusyError,
    SandboxNotFoundError,
    StorageError,
    ValidationFailedError,
)
from torpor.stores.base import Commit, Conflict, Head, Store
from torpor.stores.embedded import EmbeddedStore
from torpor.workspace.manifest import Changes, Entry

STORES: dict[str, Callable[[Path], Store]] = {"embedded": EmbeddedStore}


@pytest.fixture(params=list(STORES))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the store under test; every call gives a new client of the same storage."""
    stores: list[Store] = []

    def open_store() -> Store:
        stores.append(STORES[request.param](tmp_path / "home"))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[[], Store]) -> Store:
    return opened()


# Heads and commits ---------------------------------------------------------------------------------


def test_a_sandbox_does_not_exist_before_its_first_commit(store: Store) -> None:
    sandbox = store.sandbox("new")
    assert sandbox.head() is None
    assert sandbox.history() == ()
    assert sandbox.stored_bytes() == 0
    assert store.list() == ()


def test_the_first_commit_creates_the_sandbox(opened: Callable[[], Store]) -> None:
    head = opened().sandbox("a").commit(0, creation(at=5_000, env={"A": "1"}, idle_ttl=60.0))
    assert isinstance(head, Head)
    assert (head.sandbox_id, head.generation, head.created_at, head.last_used) == ("a", 1, 5_000, 5_000)
    assert (dict(head.env), head.idle_ttl) == ({"A": "1"}, 60.0)
    assert opened().sandbox("a").head() == head
    assert opened().list() == ("a",)


def test_a_head_survives_reopening_with_every_field(opened: Callable[[], Store]) -> None:
    data = b"content"
    row = context("c1", None, 3, env={"K": "v"}, guest_state='{"fds":[1]}', held_contents=(digest(b"held"),))
    commit = creation(
        contexts=(row,),
        files=Changes((ROOT, file("a.txt", data), Entry("l", "symlink", 3, 7, target="a.txt")), (), 12),
        contents={digest(data): data, digest(b"held"): b"held"},
    )
    head = committed(opened().sandbox("a").commit(0, commit))
    again = opened().sandbox("a").head()
    assert again == head
    assert again is not None
    assert again.contexts["c1"] == row
    assert again.manifest.next_inode == 12
    assert again.manifest.entries["l"].target == "a.txt"


def test_a_commit_on_another_generation_is_a_conflict_and_changes_nothing(store: Store) -> None:
    sandbox = store.sandbox("a")
    first = committed(sandbox.commit(0, creation()))
    for expected in (0, 2, 7):
        assert sandbox.commit(expected, files_commit({"x": b"x"})) == Conflict(expected, 1)
    assert sandbox.head() == first


def test_a_commit_to_a_sandbox_that_is_not_there_is_a_conflict(store: Store) -> None:
    assert store.sandbox("a").commit(3, files_commit({"x": b"x"})) == Conflict(3, 0)
    assert store.list() == ()


def test_one_of_ten_racers_wins(opened: Callable[[], Store]) -> None:
    committed(opened().sandbox("a").commit(0, creation()))
    for expected in (1, 2):
        outcomes = _race(
            10, lambda n, e=expected: opened().sandbox("a").commit(e, files_commit({f"f{n}": bytes([n])}))
        )
        winners = [o for o in outcomes if isinstance(o, Head)]
        assert len(winners) == 1
        assert [o for o in outcomes if not isinstance(o, Head)] == [Conflict(expected, expected + 1)] * 9
        assert opened().sandbox("a").head() == winners[0]


def test_one_of_ten_creators_wins(opened: Callable[[], Store]) -> None:
    outcomes = _race(10, lambda n: opened().sandbox("a").commit(0, creation(env={"N": str(n)})))
    winners = [o for o in outcomes if isinstance(o, Head)]
    assert len(winners) == 1
    assert opened().sandbox("a").head() == winners[0]


def _race(count: int, run: Callable[[int], Head | Conflict]) -> list[Head | Conflict]:
    barrier = threading.Barrier(count)
    outcomes: list[Head | Conflict] = []

    def racer(number: int) -> None:
        barrier.wait()
        outcomes.append(run(number))

    threads = [threading.Thread(target=racer, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == count
    return outcomes


def test_a_reader_sees_what_another_process_committed(opened: Callable[[], Store]) -> None:
    reader, writer = opened().sandbox("a"), opened().sandbox("a")
    committed(writer.commit(0, creation()))
    assert reader.head() == writer.head()
    second = committed(writer.commit(1, files_commit({"x": b"1"})))
    assert reader.head() == second
    assert committed(reader.commit(2, files_commit({"x": b"2"}))) == writer.head()


def test_an_upsert_replaces_and_a_deletion_removes(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation(contexts=(context("c1"), context("c2"))))
    sandbox.commit(1, files_commit({"x": b"old", "y": b"y"}))
    sandbox.commit(2, files_commit({"x": b"new"}, deleted=["y"]))
    head = committed(sandbox.commit(3, Commit("context", 9, removed_contexts=("c1",), env={"E": "1"})))
    assert set(head.contexts) == {"c2"}
    assert set(head.manifest.entries) == {"", "x"}
    wanted = head.manifest.entries["x"].digest
    assert wanted is not None
    assert sandbox.contents([wanted]) == {wanted: b"new"}
    assert dict(head.env) == {"E": "1"}


def test_the_environment_is_replaced_as_a_whole_and_only_when_given(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation(env={"A": "1", "B": "2"}))
    assert dict(committed(sandbox.commit(1, files_commit({}))).env) == {"A": "1", "B": "2"}
    assert dict(committed(sandbox.commit(2, Commit("env", 9, env={"B": "3"}))).env) == {"B": "3"}


def test_ids_that_differ_in_case_or_hold_dots_are_different_sandboxes(store: Store) -> None:
    ids = ("a", "A", "..", ".", ".a", "a.b", "_", "-", "Z" * 63)
    for sandbox_id in ids:
        committed(store.sandbox(sandbox_id).commit(0, creation(env={"ID": sandbox_id})))
    assert store.list() == tuple(sorted(ids))
    for sandbox_id in ids:
        head = store.sandbox(sandbox_id).head()
        assert head is not None
        assert dict(head.env) == {"ID": sandbox_id}


@pytest.mark.parametrize("sandbox_id", ["", "a/b", "../x", "a\0", "é", "x" * 64, "a b", "a\n"])
def test_an_id_that_cannot_be_stored_is_refused(store: Store, sandbox_id: str) -> None:
    with pytest.raises(ValidationFailedError):
        store.sandbox(sandbox_id)


# What a commit must bring ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "commit",
    [
        Commit("files", 9, files=Changes((ROOT, file("x", b"not given")), (), 3)),
        Commit("context", 9, contexts=(context("c1", held_contents=(digest(b"not given"),)),)),
        Commit("execution", 9, contexts=(context("c1", tip="not-stored"),)),
        Commit("files", 9, contents={digest(b"one"): b"another"}),
    ],
    ids=["content", "held content", "record", "wrong digest"],
)
def test_a_commit_that_names_what_is_not_stored_is_refused_whole(store: Store, commit: Commit) -> None:
    sandbox = store.sandbox("a")
    before = committed(sandbox.commit(0, creation()))
    with pytest.raises(StorageError, match="refused"):
        sandbox.commit(1, commit)
    assert sandbox.head() == before
    assert isinstance(sandbox.commit(1, files_commit({"x": b"x"})), Head)


def test_contents_are_kept_once_and_found_by_digest(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    big = b"".join(map(page, range(50)))
    sandbox.commit(1, files_commit({"x": big}))
    sandbox.commit(2, files_commit({"y": big}))
    newest, older, _ = sandbox.history()
    assert older.stored_bytes > len(big) / 2
    assert newest.stored_bytes == 0
    assert sandbox.contents([digest(big), digest(big)]) == {digest(big): big}
    assert sandbox.contents([]) == {}


def test_a_missing_content_is_an_error(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    with pytest.raises(StorageError, match=digest(b"nowhere")):
        sandbox.contents([digest(b"nowhere")])


# Records ---------------------------------------------------------------------------------------------


def test_a_chain_of_records_leads_to_the_memory_that_was_committed(opened: Callable[[], Store]) -> None:
    session = Session(opened().sandbox("a"))
    session.step({0: 1, 5: 2})
    session.step({0: 3, 2: 9}, raw=[(2, 4)])
    session.step({3: 4})
    chain = opened().sandbox("a").records(session.tip)
    assert [r.id for r in chain] == ["c1-1", "c1-2", "c1-3"]
    assert [r.parent for r in chain] == [None, "c1-1", "c1-2"]
    assert restore(chain) == session.memory
    assert restore(chain[:1]) != session.memory
    assert all(extent.offset % limits.PAGE_BYTES == 0 for r in chain for extent in r.extents)


def test_no_tip_is_an_empty_chain(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    assert sandbox.records(None) == ()


def test_an_unknown_record_is_an_error(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    with pytest.raises(StorageError, match="missing"):
        sandbox.records("missing")


# History ---------------------------------------------------------------------------------------------


def test_history_tells_what_each_generation_was(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation(at=10))
    Session(sandbox).step({0: 1})
    sandbox.commit(2, Commit("files", 30, summary="write x"))
    newest, execution, first = sandbox.history()
    assert (first.generation, first.kind, first.at, first.rewindable) == (1, "create", 10, True)
    assert (execution.kind, execution.context_id, execution.executions) == ("execution", "c1", 1)
    assert execution.stored_bytes > limits.PAGE_BYTES
    assert (newest.generation, newest.summary, newest.at) == (3, "write x", 30)


def test_an_earlier_generation_can_be_read_as_it_was(store: Store) -> None:
    sandbox = store.sandbox("a")
    heads = [committed(sandbox.commit(0, creation(env={"N": "0"})))]
    for n in range(1, 6):
        commit = files_commit({f"f{n}": bytes([n])}, deleted=[f"f{n - 2}"], at=n)
        heads.append(committed(sandbox.commit(n, commit)))
    for head in heads:
        assert sandbox.at(head.generation) == head
    for generation in (0, 7, -1):
        with pytest.raises(GenerationNotFoundError):
            sandbox.at(generation)


def test_rewind_brings_back_files_contexts_memory_and_environment(store: Store) -> None:
    sandbox = store.sandbox("a")
    session = Session(sandbox)
    session.step({0: 1})
    then = committed(sandbox.commit(1, files_commit({"x": b"1"})))
    memory = session.memory
    session.step({0: 2}, env={"E": "1"})
    sandbox.commit(3, files_commit({"y": b"2"}, deleted=["x"]))
    sandbox.commit(4, Commit("context", 9, removed_contexts=("c1",)))
    head = committed(sandbox.rewind(5, 2, at=77))
    assert (head.generation, head.last_used) == (6, 77)
    assert (head.contexts, head.manifest, head.env) == (then.contexts, then.manifest, then.env)
    snapshot = head.contexts["c1"].snapshot
    assert snapshot is not None
    assert restore(sandbox.records(snapshot.tip)) == memory
    assert sandbox.history()[0].kind == "rewind"
    assert sandbox.head() == head == sandbox.at(6)


def test_a_rewind_can_be_rewound(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    before = committed(sandbox.commit(1, files_commit({"x": b"1"})))
    sandbox.rewind(2, 1, at=5)
    assert committed(sandbox.rewind(3, 2, at=6)).manifest == before.manifest


def test_rewinding_from_another_generation_is_a_conflict(store: Store) -> None:
    sandbox = store.sandbox("a")
    assert sandbox.rewind(1, 1, at=5) == Conflict(1, 0)
    sandbox.commit(0, creation())
    assert sandbox.rewind(2, 1, at=5) == Conflict(2, 1)


def test_only_the_last_generations_can_be_reached_and_the_others_stay_listed(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    count = limits.REWINDABLE_GENERATIONS + 3
    for n in range(1, count):
        sandbox.commit(n, files_commit({"x": bytes([n])}))
    sandbox.maintain()
    history = sandbox.history()
    assert [h.generation for h in history] == list(range(count, 0, -1))
    assert [h.generation for h in history if h.rewindable] == list(range(count, 3, -1))
    assert sandbox.at(4).manifest.entries["x"].digest == digest(bytes([3]))
    for unreachable in (3, 1):
        with pytest.raises(GenerationNotFoundError, match=f"4 to {count}"):
            sandbox.rewind(count, unreachable, at=5)


# Maintenance -----------------------------------------------------------------------------------------


def test_maintenance_is_asked_for_after_some_commits(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    assert not sandbox.needs_maintenance
    for n in range(1, limits.MAINTENANCE_GENERATIONS + 1):
        sandbox.commit(n, files_commit({"x": bytes([n])}))
    assert sandbox.needs_maintenance
    sandbox.maintain()
    assert not sandbox.needs_maintenance


def test_maintenance_keeps_chains_short_and_every_memory_as_it_was(opened: Callable[[], Store]) -> None:
    sandbox = opened().sandbox("a")
    session = Session(sandbox)
    memories = {}
    for n in range(1, 201):
        raw = [(n % 8, 4)] if n % 10 == 0 else []
        session.step({n % 16: n, (n * 7) % 16: n + 1000}, raw=raw)
        memories[n] = session.memory
        if sandbox.needs_maintenance:
            head = sandbox.head()
            sandbox.maintain()
            assert sandbox.head() == head
            assert len(sandbox.records(session.tip)) <= limits.MAX_CHAIN_RECORDS
    again = opened().sandbox("a")
    for generation in range(200 - limits.REWINDABLE_GENERATIONS + 1, 201):
        snapshot = again.at(generation).contexts["c1"].snapshot
        assert snapshot is not None
        assert restore(again.records(snapshot.tip)) == memories[generation]


def test_parts_of_extents_that_merging_leaves_are_still_sound(store: Store) -> None:
    sandbox = store.sandbox("a")
    session = Session(sandbox)
    for n in range(1, 3 * limits.MAX_CHAIN_RECORDS):
        first = n * 3 % 9
        session.step({first + i: n * 10 + i for i in range(7)}, raw=[(first, 7)])
        if sandbox.needs_maintenance:
            sandbox.maintain()
    # A copy reads every extent and compares it with its checksum.
    copy = store.fork("a", "b", None, at=5)
    snapshot = copy.contexts["c1"].snapshot
    assert snapshot is not None
    assert restore(store.sandbox("b").records(snapshot.tip)) == session.memory


def test_maintenance_forgets_what_nothing_can_reach(store: Store) -> None:
    sandbox = store.sandbox("a")
    session = Session(sandbox)
    session.step({0: 1})
    old = session.tip
    gone, held = page(5), page(6)
    sandbox.commit(1, files_commit({"x": gone}))
    sandbox.commit(
        2,
        Commit(
            "context",
            9,
            removed_contexts=("c1",),
            contexts=(context("c2", held_contents=(digest(held),)),),
            contents={digest(held): held},
            files=Changes((), ("x",), 100),
        ),
    )
    sandbox.maintain()
    assert sandbox.contents([digest(gone)])
    assert sandbox.records(old)
    for n in range(3, 3 + limits.REWINDABLE_GENERATIONS):
        sandbox.commit(n, Commit("env", n, env={"N": str(n)}))
    sandbox.maintain()
    assert sandbox.contents([digest(held)])
    with pytest.raises(StorageError):
        sandbox.contents([digest(gone)])
    with pytest.raises(StorageError):
        sandbox.records(old)


def test_both_branches_of_a_rewind_stay_reachable(store: Store) -> None:
    sandbox = store.sandbox("a")
    session = Session(sandbox)
    for n in range(1, 11):
        session.step({n: n})
    abandoned = session.memory
    sandbox.rewind(10, 5, at=9)
    branch = Session(sandbox)
    branch.executions, branch.tip = 5, "c1-5"
    branch.memory = restore(sandbox.records("c1-5"))
    for n in range(11, 21):
        branch.step({n % 16: n * 100})
    sandbox.maintain()
    assert restore(sandbox.records(branch.tip)) == branch.memory
    assert restore(sandbox.records("c1-10")) == abandoned


# Leases ----------------------------------------------------------------------------------------------


def test_a_lease_excludes_others_until_it_is_given_back(opened: Callable[[], Store]) -> None:
    first, second = opened().sandbox("a"), opened().sandbox("a")
    with first.lease(1.0):
        with pytest.raises(SandboxBusyError, match="a"), second.lease(0.0):
            pass
        with opened().sandbox("b").lease(0.0):
            pass
    with second.lease(0.0):
        pass


def test_a_waiting_writer_gets_the_lease_when_it_becomes_free(opened: Callable[[], Store]) -> None:
    waiting, got = threading.Event(), threading.Event()

    def wait() -> None:
        waiting.set()
        with opened().sandbox("a").lease(30.0):
            got.set()

    thread = threading.Thread(target=wait)
    with opened().sandbox("a").lease(0.0):
        thread.start()
        waiting.wait()
        assert not got.is_set()
    thread.join()
    assert got.is_set()


def test_a_lease_is_given_back_when_the_work_fails(store: Store) -> None:
    sandbox = store.sandbox("a")
    with pytest.raises(ZeroDivisionError), sandbox.lease(0.0):
        raise ZeroDivisionError
    with sandbox.lease(0.0):
        pass


# Deleting --------------------------------------------------------------------------------------------


def test_a_deleted_sandbox_is_gone_and_its_id_free(opened: Callable[[], Store]) -> None:
    store, other = opened(), opened().sandbox("a")
    committed(other.commit(0, files_commit({"x": b"1"})))
    assert store.delete("a")
    assert not store.delete("a")
    assert other.head() is None
    assert store.list() == ()
    assert other.commit(1, files_commit({"x": b"2"})) == Conflict(1, 0)
    fresh = committed(store.sandbox("a").commit(0, creation()))
    assert fresh.manifest.entries == {}
    assert other.head() == fresh


def test_a_writer_of_a_deleted_sandbox_never_writes_into_its_successor(opened: Callable[[], Store]) -> None:
    old = opened().sandbox("a")
    committed(old.commit(0, creation()))
    old.head()
    opened().delete("a")
    new = opened().sandbox("a")
    successor = committed(new.commit(0, creation()))
    assert old.commit(1, files_commit({"x": b"old"})) == Conflict(1, 1)
    assert new.head() == successor


def test_closing_a_handle_of_a_deleted_sandbox_does_not_hurt_its_successor(
    opened: Callable[[], Store],
) -> None:
    old = opened().sandbox("a")
    committed(old.commit(0, creation()))
    old.head()
    opened().delete("a")
    new = opened().sandbox("a")
    new.commit(0, creation())
    new.commit(1, files_commit({"x": b"new"}))
    old.close()
    head = committed(new.commit(2, files_commit({"y": b"new"})))
    assert opened().sandbox("a").head() == head


# Forks -----------------------------------------------------------------------------------------------


def test_a_fork_has_the_state_and_a_history_of_its_own(opened: Callable[[], Store]) -> None:
    store = opened()
    sandbox = store.sandbox("a")
    session = Session(sandbox)
    session.step({0: 1}, raw=[(0, 3)])
    source = committed(sandbox.commit(1, files_commit({"x": b"1"})))
    memory = session.memory
    session.step({0: 2}, env={"E": "1"}, idle_ttl=5.0)
    fork = store.fork("a", "b", 2, at=99)
    assert (fork.sandbox_id, fork.generation, fork.created_at, fork.last_used) == ("b", 1, 99, 99)
    assert (fork.contexts, fork.manifest, fork.env) == (source.contexts, source.manifest, source.env)
    other = opened().sandbox("b")
    assert other.head() == fork
    assert [h.kind for h in other.history()] == ["fork"]
    assert restore(other.records("c1-1")) == memory
    assert other.contents([digest(b"1")]) == {digest(b"1"): b"1"}
    newest = store.fork("a", "c", None, at=100)
    assert dict(newest.env) == {"E": "1"}
    assert restore(store.sandbox("c").records("c1-3")) == session.memory


def test_a_fork_and_its_source_go_their_own_ways(store: Store) -> None:
    sandbox = store.sandbox("a")
    session = Session(sandbox)
    session.step({0: 1})
    store.fork("a", "b", None, at=9)
    branch = Session(store.sandbox("b"))
    branch.memory, branch.tip, branch.executions = session.memory, session.tip, 1
    branch.step({1: 5})
    session.step({1: 6})
    assert restore(store.sandbox("b").records(branch.tip)) == branch.memory
    assert restore(store.sandbox("a").records(session.tip)) == session.memory
    store.delete("a")
    assert restore(store.sandbox("b").records(branch.tip)) == branch.memory


def test_a_fork_needs_a_source_a_generation_and_a_new_name(store: Store) -> None:
    store.sandbox("a").commit(0, creation())
    store.sandbox("b").commit(0, creation(env={"B": "1"}))
    with pytest.raises(ValidationFailedError, match="exists"):
        store.fork("a", "b", None, at=9)
    with pytest.raises(SandboxNotFoundError):
        store.fork("nowhere", "c", None, at=9)
    with pytest.raises(GenerationNotFoundError):
        store.fork("a", "c", 2, at=9)
    assert store.list() == ("a", "b")
    kept = store.sandbox("b").head()
    assert kept is not None
    assert dict(kept.env) == {"B": "1"}


# Base images -----------------------------------------------------------------------------------------


def test_a_base_image_is_kept_though_its_source_goes(opened: Callable[[], Store], tmp_path: Path) -> None:
    source = tmp_path / "image"
    source.write_bytes(BASE_IMAGE)
    kept = opened().add_base_image(BASE, source)
    assert kept == opened().add_base_image(BASE, source) == opened().base_image(BASE)
    source.unlink()
    assert opened().base_image(BASE).read_bytes() == BASE_IMAGE


def test_a_base_image_that_is_not_what_its_digest_says_is_refused(store: Store, tmp_path: Path) -> None:
    source = tmp_path / "image"
    source.write_bytes(BASE_IMAGE[:-1])
    with pytest.raises(StorageError, match="damaged"):
        store.add_base_image(BASE, source)
    with pytest.raises(MissingBaseImageError):
        store.base_image(BASE)
    with pytest.raises(StorageError):
        store.base_image("../../etc/passwd")


# Export and import -----------------------------------------------------------------------------------


def exported(store: Store, tmp_path: Path) -> tuple[Session, Path]:
    image = tmp_path / "image"
    image.write_bytes(BASE_IMAGE)
    store.add_base_image(BASE, image)
    session = Session(store.sandbox("a"))
    session.step({0: 1, 4: 2}, raw=[(4, 3)], env={"E": "1"}, idle_ttl=60.0)
    session.step({5: 3})
    store.sandbox("a").commit(2, files_commit({"x": b"1", "empty": b"", "big": page(3) * 300}))
    destination = tmp_path / "a.torpor"
    store.export("a", destination)
    return session, destination


def test_an_export_can_be_imported_elsewhere(store: Store, tmp_path: Path) -> None:
    session, exported_file = exported(store, tmp_path)
    original = store.sandbox("a").head()
    assert original is not None
    elsewhere = type(store)(tmp_path / "elsewhere")  # type: ignore[call-arg]
    head = elsewhere.import_(exported_file)
    assert (head.sandbox_id, head.generation, head.created_at) == ("a", 1, original.created_at)
    assert (head.contexts, head.manifest) == (original.contexts, original.manifest)
    assert (head.env, head.idle_ttl) == (original.env, original.idle_ttl)
    sandbox = elsewhere.sandbox("a")
    assert sandbox.head() == head
    assert [h.kind for h in sandbox.history()] == ["import"]
    assert restore(sandbox.records(session.tip)) == session.memory
    assert sandbox.contents([digest(b"")]) == {digest(b""): b""}
    assert sandbox.contents([digest(page(3) * 300)])
    assert elsewhere.base_image(BASE).read_bytes() == BASE_IMAGE
    elsewhere.close()


def test_an_export_can_be_imported_under_another_id(store: Store, tmp_path: Path) -> None:
    session, exported_file = exported(store, tmp_path)
    assert store.import_(exported_file, "b").sandbox_id == "b"
    assert restore(store.sandbox("b").records(session.tip)) == session.memory
    with pytest.raises(ValidationFailedError, match="exists"):
        store.import_(exported_file)
    with pytest.raises(ValidationFailedError):
        store.import_(exported_file, "../b")


def test_an_export_can_leave_base_images_out(store: Store, tmp_path: Path) -> None:
    exported(store, tmp_path)
    lean = tmp_path / "lean.torpor"
    store.export("a", lean, with_base_images=False)
    elsewhere = type(store)(tmp_path / "elsewhere")  # type: ignore[call-arg]
    elsewhere.import_(lean)
    with pytest.raises(MissingBaseImageError, match=BASE):
        elsewhere.base_image(BASE)
    elsewhere.close()


def test_exporting_needs_a_sandbox_and_its_base_images(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SandboxNotFoundError):
        store.export("nowhere", tmp_path / "x")
    Session(store.sandbox("a")).step({0: 1})
    with pytest.raises(MissingBaseImageError):
        store.export("a", tmp_path / "x")
    assert list(tmp_path.glob("*x*")) == []


# Expiry ----------------------------------------------------------------------------------------------


def test_a_sandbox_expires_after_its_idle_time_and_never_without_one(store: Store) -> None:
    store.sandbox("short").commit(0, creation(at=10_000, idle_ttl=5.0))
    store.sandbox("forever").commit(0, creation(at=10_000))
    assert store.expired(14_999) == ()
    assert store.expired(15_000) == ("short",)
    store.sandbox("short").commit(1, Commit("env", 14_000, env={}))
    assert store.expired(15_000) == ()
    assert store.expired(19_000) == ("short",)


def test_a_sweep_deletes_the_expired_that_nobody_uses(store: Store) -> None:
    for name in ("used", "idle", "young"):
        store.sandbox(name).commit(0, creation(at=10_000, idle_ttl=90.0 if name == "young" else 5.0))
    with store.sandbox("used").lease(0.0):
        assert store.sweep(20_000) == ("idle",)
    assert store.list() == ("used", "young")
    assert store.sweep(20_000) == ("used",)


def test_a_closed_handle_says_so(store: Store) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    sandbox.close()
    sandbox.close()
    with pytest.raises(StorageError, match="closed"):
        sandbox.head()
