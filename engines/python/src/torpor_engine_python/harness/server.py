"""The harness's entry: serves the request on the device, and takes the place of the reactor's `turn`.

The reactor calls a Python function that it looked up once. That function's code is replaced by a
call of `serve`, so that no later turn depends on anything that the user can reach by name.
"""

import sys
from typing import Any

import _reactor  # type: ignore[import-not-found]

from torpor_engine_python.harness import completion, display, figures, guards, loop, tidying, warmup, world
from torpor_engine_python.harness.device import read_request, write_frames
from torpor_engine_python.harness.display import results
from torpor_engine_python.harness.execution import Interpreter
from torpor_engine_python.harness.frames import frame


class Server:
    def __init__(self) -> None:
        self.world = world.World()
        self.interpreter = Interpreter(self.world)

    def serve(self) -> None:
        request = read_request()
        {"execute": self.execute, "complete": self.complete, "tidy": self.tidy}[request["op"]](request)

    def execute(self, request: dict[str, Any]) -> None:
        limits = request["limits"]
        results.begin(result_bytes=limits["resultBytes"], results=limits["results"])
        self.world.enter(request)
        frames, status = self.interpreter.execute(request["code"], request["count"], limits)
        write_frames([*frames, frame("done", cwd=world.current_folder(), exitStatus=status)])

    def tidy(self, request: dict[str, Any]) -> None:
        tidying.zero_free_memory(request["bytes"])
        write_frames([frame("done", cwd=world.current_folder(), exitStatus=None)])

    def complete(self, request: dict[str, Any]) -> None:
        self.world.repair()
        try:
            self.world.reseed(request.get("entropy"))
            names = self.world.main.__dict__
            matches, start = completion.complete(request["code"], request["cursor"], names)
        except Exception:  # noqa: BLE001 - a completion is only an offer
            matches, start = [], request["cursor"]
        write_frames(
            [
                frame("completion", matches=matches, start=start),
                frame("done", cwd=world.current_folder(), exitStatus=None),
            ]
        )


def replacement(source: object, environ: object, serve: Any = None) -> tuple[int, bool]:  # noqa: ARG001
    serve()
    return 0, False


def boot() -> None:
    """Bring the interpreter into the state in which every context begins."""
    guards.install(world.FALLBACK_FOLDER)
    loop.install()
    warmup.import_everything()
    figures.figures.install()
    sys.meta_path.append(display.ShimFinder())
    sys.path += ["", world.FALLBACK_FOLDER]
    server = Server()
    server.world.prepare_names(display.display)
    warmup.exercise()
    _reactor.turn.__defaults__ = (server.serve,)
    _reactor.turn.__code__ = replacement.__code__
    warmup.settle(server.world)
