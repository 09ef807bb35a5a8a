"""Plain Python without any wall around it: runs code that leaves a number in `value`.

Request {"operation": code}: the operation is the program itself.
"""

from collections.abc import Callable, Iterator, Mapping

from benchmarks.peers.protocol import serve


class _Programs(Mapping[str, Callable[[], float]]):
    """Every program is an operation."""

    def __getitem__(self, code: str) -> Callable[[], float]:
        def run() -> float:
            names: dict[str, object] = {}
            exec(code, names)
            value = names["value"]
            assert isinstance(value, (int, float))
            return float(value)

        return run

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


if __name__ == "__main__":
    serve(_Programs())
