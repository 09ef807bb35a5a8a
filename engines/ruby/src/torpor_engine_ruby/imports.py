"""What the module imports besides WASI: its bridge to a JavaScript host, which is not there.

The module counts Ruby objects that its host holds by handles. Here a handle is the object's own
address, so that nothing about an object is kept outside of the guest's memory.
"""

from collections.abc import Callable, Mapping

from torpor.errors import EngineError

_BRIDGE = "rb-js-abi-host"
_HANDLES = "canonical_abi"


def _same(value: int) -> int:
    return value


def _nothing(_: int) -> int:
    return 0


def _no_javascript(*_: int) -> int:
    """The harness keeps code from getting here; whoever does is stopped and rolled back."""
    raise EngineError("the code used Ruby's bridge to JavaScript, which leads nowhere in the sandbox")


#: The bridge's functions, by the names that its interface definition gives them.
_SIGNATURES = (
    "bool-to-js-bool: func(value: bool) -> handle<js-abi-value>",
    "eval-js: func(code: string) -> variant { success(handle<js-abi-value>), failure(handle<js-abi-value>) }",
    "export-js-value-to-host: func(value: handle<js-abi-value>) -> ()",
    "float-to-js-number: func(value: float64) -> handle<js-abi-value>",
    "global-this: func() -> handle<js-abi-value>",
    "import-js-value-from-host: func() -> handle<js-abi-value>",
    "instance-of: func(value: handle<js-abi-value>, klass: handle<js-abi-value>) -> bool",
    "int-to-js-number: func(value: s32) -> handle<js-abi-value>",
    "is-js: func(value: handle<js-abi-value>) -> bool",
    "js-value-equal: func(lhs: handle<js-abi-value>, rhs: handle<js-abi-value>) -> bool",
    "js-value-strictly-equal: func(lhs: handle<js-abi-value>, rhs: handle<js-abi-value>) -> bool",
    "js-value-to-integer: func(value: handle<js-abi-value>) -> variant { as-float(float64), bignum(string) }",
    "js-value-to-string: func(value: handle<js-abi-value>) -> string",
    "js-value-typeof: func(value: handle<js-abi-value>) -> string",
    "proc-to-js-function: func(value: u32) -> handle<js-abi-value>",
    "rb-object-to-js-rb-value: func(raw-rb-abi-value: u32) -> handle<js-abi-value>",
    "rb_wasm_throw_prohibit_rewind_exception",
    "reflect-apply: func(target: handle<js-abi-value>, this-argument: handle<js-abi-value>,"
    " arguments: list<handle<js-abi-value>>)"
    " -> variant { success(handle<js-abi-value>), failure(handle<js-abi-value>) }",
    "reflect-get: func(target: handle<js-abi-value>, property-key: string)"
    " -> variant { success(handle<js-abi-value>), failure(handle<js-abi-value>) }",
    "reflect-set: func(target: handle<js-abi-value>, property-key: string, value: handle<js-abi-value>)"
    " -> variant { success(handle<js-abi-value>), failure(handle<js-abi-value>) }",
    "string-to-js-string: func(value: string) -> handle<js-abi-value>",
)

IMPORTS: Mapping[tuple[str, str], Callable[..., int]] = {
    (_HANDLES, "resource_new_rb-abi-value"): _same,
    (_HANDLES, "resource_get_rb-abi-value"): _same,
    (_HANDLES, "resource_drop_js-abi-value"): _nothing,
    **{(_BRIDGE, signature): _no_javascript for signature in _SIGNATURES},
}
