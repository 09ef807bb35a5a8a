"""An application that gives each of its users a sandbox: streaming, limits, files, and undo.

    uv run python examples/embedding.py

Run it twice: the second run finds what the first one left, because a sandbox outlives its process.
"""

import asyncio

import torpor
from torpor import aio

CELLS = {
    "ada": "import itertools; primes = (n for n in itertools.count(2) if all(n % d for d in range(2, n)))",
    "bob": "import pandas as pd; prices = pd.Series([3, 5, 4], index=['tea', 'cake', 'tea'])",
}
QUESTIONS = {
    "ada": "print('the next three:', *itertools.islice(primes, 3))",
    "bob": "print('mean price:', prices.mean())",
}


async def ask(user: str, code: str) -> torpor.ExecutionResult:
    """Run a user's code with this application's limits, passing on what it prints while it runs."""
    sandbox = aio.get_sandbox(f"example-{user}")
    return await sandbox.interpreter.run_code(
        code,
        binding="PYTHON",
        timeout=5,
        on_stdout=lambda line: print(f"{user}: {line}"),
    )


async def first_visit(user: str) -> bool:
    return not await aio.get_sandbox(f"example-{user}").interpreter.list_code_contexts()


async def main() -> None:
    for user, cell in CELLS.items():
        if await first_visit(user):
            print(f"{user} is new")
            await ask(user, cell)

    # Different users' code runs side by side.
    await asyncio.gather(*(ask(user, question) for user, question in QUESTIONS.items()))

    # What fails is data, and what exceeds a limit leaves no trace.
    failed = await ask("bob", "prices['coffee']")
    assert failed.error is not None
    print("bob failed:", failed.error.name)
    endless = await ask("bob", "prices = None\nwhile True: pass")
    assert endless.error is not None
    print("bob was stopped:", endless.error.name)
    await ask("bob", "print('still there:', len(prices), 'prices')")


if __name__ == "__main__":
    asyncio.run(main())
