"""asyncio and sleeping, without threads and sockets."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_python.common import value

ASYNC = (
    value("await at the top", "import asyncio\nawait asyncio.sleep(0.001, 5)", text="5"),
    value(
        "async for and async with at the top",
        "import contextlib\n@contextlib.asynccontextmanager\nasync def c(): yield 1\n"
        "async def g():\n  for i in range(3): yield i\nout = []\n"
        "async for i in g(): out.append(i)\nasync with c() as one: out.append(one)\nout",
        json=[0, 1, 2, 1],
    ),
    value("asyncio.run", "import asyncio\nasync def f(): return 6\nasyncio.run(f())", text="6"),
    value(
        "asyncio.run twice",
        "import asyncio\nasync def f(): return 6\nasyncio.run(f())",
        "asyncio.run(f())",
        text="6",
    ),
    value(
        "gather runs side by side",
        "import asyncio, time\nt = time.monotonic()\n"
        "r = await asyncio.gather(*(asyncio.sleep(0.05, n) for n in range(20)))\n"
        "sum(r), time.monotonic() - t < 0.9",
        text="(190, True)",
    ),
    value(
        "queues and tasks",
        "import asyncio\nasync def main():\n  q = asyncio.Queue(1)\n  async def put():\n"
        "    for i in range(3): await q.put(i)\n  t = asyncio.create_task(put())\n"
        "  got = [await q.get() for _ in range(3)]\n  await t\n  return got\nasyncio.run(main())",
        json=[0, 1, 2],
    ),
    value(
        "a timeout",
        "import asyncio\ntry: await asyncio.wait_for(asyncio.sleep(9), 0.01)\n"
        "except TimeoutError: r = 'late'\nr",
        text="'late'",
    ),
    value(
        "a task group",
        "import asyncio\nasync with asyncio.TaskGroup() as g:\n  t = g.create_task(asyncio.sleep(0, 3))\n"
        "t.result()",
        text="3",
    ),
    value("to_thread runs in place", "import asyncio\nawait asyncio.to_thread(lambda: 8)", text="8"),
    value(
        "a task goes on in the next cell",
        "import asyncio\nasync def work():\n  await asyncio.sleep(0.001); return 'done'\n"
        "t = asyncio.create_task(work()); await asyncio.sleep(0)",
        "t.done()",
        "await t",
        text="'done'",
    ),
    value(
        "waiting for nothing is an error",
        "import asyncio\nawait asyncio.Future()",
        error="RuntimeError",
        message_has=("would wait for ever",),
        line=2,
        traceback=(
            "Traceback (most recent call last):",
            '  File "<cell 1>", line 2, in <module>',
            "    await asyncio.Future()",
            "RuntimeError: This would wait for ever: every task waits for another, and no timer is left to wake one",
        ),
    ),
    value(
        "and the loop lives on",
        "import asyncio\nawait asyncio.Future()",
        "await asyncio.sleep(0, 1)",
        text="1",
        may_fail_before=True,
    ),
    value(
        "an error in a task shows the user's frames",
        "import asyncio\nasync def f(): 1/0\nawait asyncio.gather(f())",
        error="ZeroDivisionError",
        line=2,
        traceback=(
            "Traceback (most recent call last):",
            '  File "<cell 1>", line 3, in <module>',
            "    await asyncio.gather(f())",
            '  File "<cell 1>", line 2, in f',
            "    async def f(): 1/0",
            "                   ~^~",
            "ZeroDivisionError: division by zero",
        ),
    ),
    value(
        "asyncio.run inside a running loop says so",
        "import asyncio\nawait asyncio.sleep(0)\nc = asyncio.sleep(0)\n"
        "try: asyncio.run(c)\nfinally: c.close()",
        error="RuntimeError",
        message_has=("running event loop",),
    ),
    value(
        "time.sleep",
        "import time; t = time.monotonic(); time.sleep(0.02); time.monotonic() - t >= 0.02",
        text="True",
    ),
)
