"""Matplotlib without a screen: open figures become PNG results, once each, and are closed.

`install` runs at boot, when matplotlib is imported; afterwards only what it saved is used.
"""

import importlib
import io
from typing import Any

from torpor_engine_python.harness.bundles import CONVERTERS, bundle_of
from torpor_engine_python.harness.display import results
from torpor_engine_python.harness.natives import is_a


class Figures:
    """The open figures of pyplot."""

    def __init__(self) -> None:
        self.managers: Any = None
        self.figure_class: type | None = None
        self.fonts: Any = None

    def install(self) -> None:
        self.managers = saved("matplotlib._pylab_helpers", "Gcf")
        self.figure_class = saved("matplotlib.figure", "Figure")
        self.fonts = saved("matplotlib.font_manager", "_get_font")
        CONVERTERS.append((self.is_figure, "image/png", to_png))
        manager_class = saved("matplotlib.backend_bases", "FigureManagerBase")
        manager_class.pyplot_show = classmethod(lambda *_, **__: self.show_open())
        manager_class.show = lambda manager: self.show(manager)

    def is_figure(self, value: object) -> bool:
        return self.figure_class is not None and is_a(value, self.figure_class)

    def show_open(self) -> None:
        """Show and close every open figure, in the order of their numbers."""
        if self.managers is None or not self.managers.figs:
            return
        for manager in sorted(self.managers.get_all_fig_managers(), key=lambda one: one.num):
            self.show(manager)

    def show(self, manager: Any) -> None:
        # Closed before it is shown: a figure that cannot be drawn must not come back every time.
        self.managers.destroy(manager)
        if manager.canvas.figure.get_axes() or manager.canvas.figure.texts or manager.canvas.figure.images:
            results.show(bundle_of(manager.canvas.figure))

    def close_fonts(self) -> None:
        """Matplotlib keeps the files of fonts open; between executions no file of ours should be."""
        if self.fonts is not None and self.fonts.cache_info().currsize:
            self.fonts.cache_clear()

    def forget(self, figure: object) -> None:
        """Close a figure that was shown as the value."""
        if self.managers is None:
            return
        for manager in list(self.managers.get_all_fig_managers()):
            if manager.canvas.figure is figure:
                self.managers.destroy(manager)


def saved(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def to_png(figure: Any) -> bytes:
    buffer = io.BytesIO()
    figure.canvas.print_figure(
        buffer, format="png", dpi=figure.dpi, bbox_inches="tight", facecolor=figure.get_facecolor()
    )
    return buffer.getvalue()


figures = Figures()
