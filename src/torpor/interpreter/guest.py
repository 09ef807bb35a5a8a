"""A running guest: an instance, its WASI world and its harness, driven one turn at a time."""

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

from torpor.engines import Engine
from torpor.errors import EngineError
from torpor.interpreter.channel import HarnessChannel
from torpor.interpreter.output import OutputCallbacks, OutputCollector
from torpor.interpreter.protocol import Request, parse_reply
from torpor.interpreter.soft_stop import Reason, SoftStop
from torpor.limits import FUEL_UNIT, MEMORY_SPENT_SHARE, SOFT_STOP_SECONDS
from torpor.wasi.clock import HostClock
from torpor.wasi.devices import BytesDevice, NullDevice, OutputDevice, StandardStream, null_node
from torpor.wasi.errors import GuestExit
from torpor.wasi.host import Streams
from torpor.wasi.preview1 import Preview1
from torpor.wasm.errors import GuestTrap
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.interrupt import Interruption
from torpor.wasm.runtime import Module
from torpor.wasm.threads import guest_threads
from torpor.workspace.filetree import Tree, device_tree
from torpor.workspace.nodes import Device, DeviceNode

T = TypeVar("T")
_DEVICES = "/dev"
_WORKSPACE = "/workspace"


class RunningGuest:
    """Owns the instance. After a GuestTrap or a failed turn it can only be closed."""

    def __init__(
        self,
        engine: Engine,
        module: Module,
        read_only: Mapping[str, Tree],
        workspace: Tree,
        memory_bytes: int,
    ) -> None:
        """`read_only` has a tree for each preopen that is neither /dev nor /workspace."""
        self._engine = engine
        self._channel = HarnessChannel()
        self._stdin = StandardStream(BytesDevice())
        self._clock = HostClock()
        devices: dict[str, DeviceNode | Device] = {
            "null": null_node(),
            "stdin": self._stdin,
            "torpor": self._channel,
        }
        trees = {**read_only, _DEVICES: device_tree(_DEVICES, devices), _WORKSPACE: workspace}
        self.wasi = Preview1(
            args=engine.argv,
            env=engine.env,
            preopens=[trees[path] for path in engine.preopens],
            streams=Streams(stdin=self._stdin),
            clock=self._clock,
            entropy=os.urandom,
            quota=workspace.quota,
        )
        self._soft_stop = SoftStop(lambda: self.instance.fuel_left())
        self._reserve = engine.limits.reserve_fuel
        self._memory_bytes = memory_bytes
        imports = {**self.wasi.imports(), **self._soft_stop.imports(), **engine.imports}
        self.instance = Instance(module, imports, InstanceLimits(memory_bytes))
        self.wasi.bind(self.instance.memory)

    # What drivers may do (torpor.engines.Guest) ---------------------------------------------------

    def call(self, export: str, *arguments: int) -> int | None:
        value = self.instance.call(export, *arguments)
        # Addresses are unsigned; statuses are small either way.
        return value if value is None or value >= 0 else value & 0xFFFF_FFFF

    def write(self, address: int, data: bytes) -> None:
        self.instance.write(address, data)

    def read(self, address: int, length: int) -> bytes:
        return self.instance.read(address, length)

    def has_export(self, export: str) -> bool:
        return self.instance.has_export(export)

    # Turns ----------------------------------------------------------------------------------------

    def boot(self, fuel: int) -> None:
        """From a fresh instance to a harness that waits. Raises EngineError with what it printed."""
        output = OutputCollector(OutputCallbacks())
        self._connect(output)
        try:
            self._metered(lambda: self._engine.driver.boot(self), fuel, Interruption())
            for code in self._engine.warm_up:
                self._warm_up(code, fuel)
        except (GuestTrap, GuestExit, EngineError) as error:
            logs, _ = output.finish()
            said = "".join(chunk.text for chunk in logs.chunks)
            raise EngineError(
                f"The engine {self._engine.binding} cannot be started: {error}\n{said}".strip()
            ) from error
        finally:
            self._connect(None)

    def _warm_up(self, code: str, fuel: int) -> None:
        """Take a turn as executions do. Raises EngineError when the code fails."""
        request = Request(op="execute", code=code, count=1).encode()
        reply = parse_reply(
            self.turn(request, stdin=b"", output=None, fuel=fuel, interruption=Interruption())
        )
        if reply.error is not None:
            raise EngineError(f"warming up with {code!r} gave {reply.error.name}: {reply.error.message}")

    def turn(
        self,
        request: bytes,
        *,
        stdin: bytes,
        output: OutputCollector | None,
        fuel: int,
        interruption: Interruption,
    ) -> bytes:
        """Have the harness serve a request; the raw reply. `fuel` in units of 1,000 instructions.

        An engine with a reserve is asked to stop when `fuel` is used up or the deadline of `interruption`
        has come, and is stopped when it has used its reserve too.

        Raises GuestTrap, GuestExit, or EngineError when the harness broke down.
        """
        self.wasi.restore_initial()
        self._channel.begin(request)
        self._stdin.device = BytesDevice(stdin)
        self._connect(output)
        self._soft_stop.arm(self._reserve * FUEL_UNIT, interruption.deadline)
        if self._reserve and interruption.deadline is not None:
            interruption.deadline += SOFT_STOP_SECONDS
        try:
            served = self._metered(lambda: self._engine.driver.turn(self), fuel + self._reserve, interruption)
        finally:
            reply = self._channel.end()
            self._stdin.device = BytesDevice()
            self._connect(None)
        if not served:
            raise EngineError("the harness broke down and did not serve the request")
        return reply

    def tidy(self) -> None:
        """Have the harness overwrite what its allocator has free, so that it need not be stored.

        Raises GuestTrap, GuestExit or EngineError; the guest is then broken.
        """
        size = self.instance.memory.size
        request = Request(op="tidy", free_bytes=size).encode()
        with self.instance.memory_held():
            reply = self.turn(
                request, stdin=b"", output=None, fuel=self._engine.limits.fuel, interruption=Interruption()
            )
        parse_reply(reply)

    def _connect(self, output: OutputCollector | None) -> None:
        if output is None:
            self.wasi.set_streams(stdout=NullDevice(), stderr=NullDevice())
            return
        self.wasi.set_streams(
            stdout=OutputDevice(lambda data: output.write("stdout", bytes(data))),
            stderr=OutputDevice(lambda data: output.write("stderr", bytes(data))),
        )

    def _metered(self, function: Callable[[], T], fuel: int, interruption: Interruption) -> T:
        """On a guest thread, with `fuel` and under `interruption`, which Ctrl-C pulls too."""
        self._clock.interruption = interruption

        def run() -> T:
            with self.instance.metered(fuel * FUEL_UNIT, interruption):
                return function()

        return guest_threads.run(run, on_interrupt=lambda: interruption.stop("cancelled"))

    @property
    def told_to_stop(self) -> Reason | None:
        """Why the guest was asked to stop in its last turn."""
        return self._soft_stop.reason

    @property
    def memory_spent(self) -> bool:
        """Whether so much of the cap is in use that a breakdown is best explained by it."""
        return self.instance.memory.size > MEMORY_SPENT_SHARE * self._memory_bytes

    def fuel_left(self) -> int:
        """Units of 1,000 instructions; below zero when some of the reserve is used."""
        return self.instance.fuel_left() // FUEL_UNIT - self._reserve

    def close(self) -> None:
        """Idempotent."""
        self.wasi.close()
        self.instance.close()
