"""`torpor.aio` is `torpor` with coroutines: the same names and defaults, and a loop that stays free."""

import asyncio
import inspect
import itertools
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

import torpor
from torpor import aio
from torpor.config import Config
from torpor.models import OutputMessage
from torpor.sandbox import sandbox as blocking
from torpor.sandbox.host import host_for

_numbers = itertools.count()


@pytest.fixture
def sandbox(shared_config: Config) -> aio.Sandbox:
    return aio.get_sandbox(f"aio-{next(_numbers)}", shared_config)


def public_functions(owner: Any) -> dict[str, FunctionType]:
    return {n: f for n, f in vars(owner).items() if isinstance(f, FunctionType) and not n.startswith("_")}


def module_functions() -> dict[str, Any]:
    found = {name: getattr(torpor, name) for name in torpor.__all__}
    return {name: value for name, value in found.items() if isinstance(value, FunctionType)}


def shape(function: Callable[..., object]) -> list[tuple[object, ...]]:
    """Parameters with their defaults and types."""
    parameters = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, one.default, one.annotation) for one in parameters]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (public_functions(blocking.Sandbox), public_functions(aio.Sandbox)),
        (public_functions(blocking.SandboxInterpreter), public_functions(aio.SandboxInterpreter)),
        (module_functions(), public_functions(aio)),
    ],
    ids=["Sandbox", "SandboxInterpreter", "functions"],
)
def test_both_have_the_same_surface(here: dict[str, Any], there: dict[str, Any]) -> None:
    assert here
    own = {name: function for name, function in there.items() if function.__module__ == "torpor.aio"}
    assert set(own) == set(here)
    for name, function in here.items():
        assert shape(own[name]) == shape(function), name
        assert inspect.iscoroutinefunction(own[name]) == (name != "get_sandbox"), name


def test_sandboxes_run_side_by_side(shared_config: Config) -> None:
    """Each waits for what another one is told: one after the other they could not end."""

    async def main() -> list[str | None]:
        sandboxes = [aio.get_sandbox(f"aio-{next(_numbers)}", shared_config) for _ in range(3)]
        started, stop = asyncio.Semaphore(0), threading.Event()

        async def one(sandbox: aio.Sandbox) -> str | None:
            code = "print('on', flush=True)\nwhile True: pass"
            await sandbox.interpreter.run_code("x = 1", binding="PYTHON")
            result = await sandbox.interpreter.run_code(
                code, binding="PYTHON", on_stdout=lambda _: started.release(), cancel=stop
            )
            assert result.error is not None
            assert result.error.message == "Execution cancelled"
            return (await sandbox.interpreter.run_code("x", binding="PYTHON")).text

        tasks = [asyncio.create_task(one(sandbox)) for sandbox in sandboxes]
        for _ in tasks:
            await started.acquire()
        stop.set()
        return list(await asyncio.gather(*tasks))

    assert asyncio.run(main()) == ["1", "1", "1"]


def test_calls_in_one_sandbox_wait_for_each_other(sandbox: aio.Sandbox) -> None:
    async def main() -> list[str | None]:
        code = "n = globals().get('n', 0) + 1; n"
        calls = [sandbox.interpreter.run_code(code, binding="PYTHON") for _ in range(8)]
        return [result.text for result in await asyncio.gather(*calls)]

    assert sorted(asyncio.run(main()), key=str) == [str(n) for n in range(1, 9)]


def test_a_cancelled_task_stops_its_code_and_rolls_back(sandbox: aio.Sandbox) -> None:
    async def main() -> None:
        run = sandbox.interpreter.run_code
        await run("x = 1", binding="PYTHON")
        began = asyncio.Event()
        code = "x = 2; open('file', 'w').close(); print('on', flush=True)\nwhile True: pass"
        task = asyncio.create_task(run(code, binding="PYTHON", on_stdout=lambda _: began.set()))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        info = await sandbox.get_info()
        assert info.contexts[0].executions == 2  # it has stopped, not only been forgotten
        assert (await run("x", binding="PYTHON")).text == "1"
        assert not await sandbox.exists("file")

    asyncio.run(main())


def test_a_timeout_of_asyncio_stops_the_code_too(sandbox: aio.Sandbox) -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await sandbox.interpreter.run_code("while True: pass", binding="PYTHON")
        assert (await sandbox.interpreter.run_code("6 * 7", binding="PYTHON")).text == "42"

    asyncio.run(main())


def test_async_callbacks_are_awaited_one_after_the_other(sandbox: aio.Sandbox) -> None:
    seen: list[str] = []

    async def note(line: OutputMessage) -> None:
        seen.append(f"begin {line}")
        for _ in range(10 - int(line.text)):  # the first takes longest
            await asyncio.sleep(0)
        seen.append(f"end {line}")

    async def main() -> None:
        await sandbox.interpreter.run_code("for n in range(4): print(n)", binding="PYTHON", on_stdout=note)

    asyncio.run(main())
    assert seen == [f"{what} {n}" for n in range(4) for what in ("begin", "end")]


def test_callbacks_of_all_kinds_keep_their_order_on_the_loops_thread(sandbox: aio.Sandbox) -> None:
    seen: list[object] = []
    code = "import sys\nprint('a'); print('b', file=sys.stderr); display(1); 2"

    async def main() -> None:
        here = threading.current_thread()

        def note(what: object) -> None:
            assert threading.current_thread() is here
            seen.append(what)

        await sandbox.interpreter.run_code(
            code,
            binding="PYTHON",
            on_stdout=lambda line: note(line.text),
            on_stderr=lambda line: note(line.text),
            on_result=lambda result: note(result.text),
        )
        await sandbox.interpreter.run_code("1 / 0", binding="PYTHON", on_error=lambda error: note(error.name))

    asyncio.run(main())
    assert seen == ["a", "b", "1", "2", "ZeroDivisionError"]


@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_callback_raises_is_raised_once_and_the_state_is_kept(
    sandbox: aio.Sandbox, is_async: bool
) -> None:
    calls: list[str] = []

    def refuse(line: OutputMessage) -> None:
        calls.append(line.text)
        raise KeyError("mine")

    async def refuse_later(line: OutputMessage) -> None:
        refuse(line)

    async def main() -> str | None:
        with pytest.raises(KeyError, match="mine"):
            await sandbox.interpreter.run_code(
                "x = 1; print('a'); print('b')",
                binding="PYTHON",
                on_stdout=refuse_later if is_async else refuse,
            )
        return (await sandbox.interpreter.run_code("x", binding="PYTHON")).text

    assert asyncio.run(main()) == "1"
    assert calls == ["a"]


def test_everything_else_does_what_it_does_in_torpor(
    config: Config, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("export") / "file"

    async def main() -> None:
        sandbox = aio.get_sandbox("first", config)
        await sandbox.mkdir("d/e", recursive=True)
        await sandbox.write_file("d/e/file", "text")
        await sandbox.move_file("d/e/file", "moved")
        assert (await sandbox.read_file("moved")).content == b"text"
        assert [one.name for one in await sandbox.list_files()] == ["d", "moved"]
        await sandbox.delete_file("d", recursive=True)
        await sandbox.set_env_vars({"A": "1"})
        context = await sandbox.interpreter.create_code_context("PYTHON", env_vars={"B": "2"})
        assert await sandbox.interpreter.list_code_contexts() == (context,)
        code = "import os; os.environ['A'] + os.environ['B']"
        assert (await sandbox.interpreter.run_code(code, context)).text == "'12'"
        assert (await sandbox.interpreter.complete("os.envir", 8, context)).matches
        copy = await sandbox.fork("second")
        await copy.rewind((await copy.history())[0].generation)
        await sandbox.export(file, with_base_images=False)
        assert (await aio.import_sandbox(file, "third", config)).id == "third"
        await sandbox.interpreter.delete_code_context(context.id)
        assert [info.id for info in await aio.list_sandboxes(config)] == ["first", "second", "third"]
        assert await sandbox.destroy()
        assert (await aio.run_code("PYTHON", "6 * 7", config=config)).text == "42"
        with pytest.raises(torpor.SandboxNotFoundError):
            await sandbox.get_info()

    asyncio.run(main())
    host_for(config).close()
