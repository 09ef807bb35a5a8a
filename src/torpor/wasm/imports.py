"""Host functions as data: what a guest may call, over unsigned integers. No wasmtime in here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function the guest imports.

    `params` has one letter per parameter, "i" for i32 and "I" for i64; both arrive as unsigned
    integers. `result` is "", "i" or "I". Whatever `call` raises ends the guest's call with a trap
    and is raised again, unchanged, by `Instance.call`.
    """

    params: str
    result: str
    call: Callable[..., int | None]


#: (module name, function name) -> function. A plain callable takes the signature that the module
#: declares for the import.
Imports = Mapping[tuple[str, str], "HostFunction | Callable[..., int | None]"]
