"""Host functions as data: what a guest may call, over unsigned integers. No wasmtime in here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function the guest imports.

    `params` has one letter per parameter, "i" for i32, "I" for i64, "f" for f32 and "F" for f64; all
    arrive as unsigned integers, floats as their bits. `result` is "" or one such letter. Whatever `call`
    raises ends the guest's call with a trap and is raised again, unchanged, by `Instance.call`.
    """

    params: str
    result: str
    call: Callable[..., int | None]


#: (module name, function name) -> function. A plain callable takes the signature that the module
#: declares for the import.
Imports = Mapping[tuple[str, str], "HostFunction | Callable[..., int | None]"]
