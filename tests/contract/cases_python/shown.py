"""Displayed objects, figures, and results over their limits."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_python.common import VALUE, WITH_JSON, value

RICH = (
    value(
        "a data frame is text and html",
        "import pandas as pd; pd.DataFrame({'a': [1, 2]})",
        text_has=("   a\n0  1",),
        formats=("text/html", VALUE),
    ),
    value(
        "display shows at once and in order",
        "print('a'); display(1, [2]); print('b'); 3",
        text="3",
        shown=2,
        shown_texts=("1", "[2]"),
        shown_formats=((VALUE,), WITH_JSON),
        stdout="a\nb\n",
    ),
    value(
        "a raw bundle",
        "display({'text/html': '<b>x</b>', 'text/plain': 'x'}, raw=True)",
        shown=1,
        shown_formats=(("text/html", VALUE),),
        text=None,
    ),
    value(
        "IPython.display",
        "from IPython.display import display, HTML, Markdown, SVG, Latex, JSON, Image, clear_output\n"
        "clear_output(); display(HTML('<i>h</i>'), Markdown('*m*'), SVG('<svg/>'), Latex('$x$'), JSON({'a': 1}),"
        " Image(b'\\x89PNG\\r\\n'))",
        shown_formats=(
            ("text/html", VALUE),
            ("text/markdown", VALUE),
            ("image/svg+xml", VALUE),
            ("text/latex", VALUE),
            WITH_JSON,
            ("image/png", VALUE),
        ),
    ),
    value(
        "the usual methods",
        "class A:\n  def _repr_html_(self): return '<b>'\n  def _repr_markdown_(self): return '**'\n"
        "  def _repr_png_(self): return b'png'\n  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=("image/png", "text/html", "text/markdown", VALUE),
    ),
    value(
        "a bundle of the object's own",
        "class A:\n  def _repr_mimebundle_(self, include, exclude): return {'text/html': 'h'}\n"
        "  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=("text/html", VALUE),
    ),
    value(
        "an open figure is shown once and closed",
        "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
        text=None,
        shown=1,
        shown_formats=(("image/png", VALUE),),
    ),
    value(
        "it is not shown again",
        "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
        "plt.get_fignums()",
        json=[],
        shown=0,
    ),
    value(
        "show shows at that point",
        "import matplotlib.pyplot as plt\nplt.plot([1]); plt.show(); display('after')",
        shown=2,
        shown_formats=(("image/png", VALUE), (VALUE,)),
        stderr="",
    ),
    value(
        "a figure as the value is not shown twice",
        "import matplotlib.pyplot as plt\nf = plt.figure(); f.gca(); f",
        shown=0,
        formats=("image/png", VALUE),
        text="<Figure size 640x480 with 1 Axes>",
    ),
    value(
        "two figures in their order",
        "import matplotlib.pyplot as plt\nfor n in (1, 2): plt.figure(); plt.plot([n])",
        shown=2,
    ),
    value(
        "a saved figure",
        "import matplotlib.pyplot as plt, os\nplt.plot([1]); plt.savefig('f.png'); plt.close()\n"
        "os.path.getsize('f.png') > 1000",
        text="True",
        shown=0,
    ),
    value(
        "use('Agg') changes nothing",
        "import matplotlib; matplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n"
        "plt.plot([1]); plt.show()",
        shown=1,
        stderr="",
    ),
    value("a pillow image", "from PIL import Image; Image.new('RGB', (2, 2))", formats=("image/png", VALUE)),
    value(
        "too many displays",
        "for i in range(100): display(i)\n'end'",
        text="'end'",
        shown=63,
        stderr_has=("37 results are left out",),
    ),
)

LIMITS = (
    value(
        "results that are too large together",
        "for _ in range(30): display({'text/html': 'x' * 900_000}, raw=True)\n'end'",
        text="'end'",
        shown=13,
        stderr_has=("17 results are left out",),
    ),
    value(
        "characters that JSON must escape",
        "for _ in range(30): display({'text/html': '\\x01' * 900_000}, raw=True)\n'end'",
        text="'end'",
        shown=2,
    ),
    value(
        "a long text is cut and its size told",
        "'x' * 3_000_000",
        truncated={"text/plain": 3_000_002},
        text_has=("3,000,002 bytes in all",),
    ),
    value("the state is kept", "big = 'x' * 3_000_000; big", "len(big)", text="3000000"),
    value(
        "json over the limit is left out",
        "[0] * 1_000_000",
        truncated={"text/plain": 3_000_000, "application/json": 2_000_001},
        formats=(VALUE,),
    ),
    value(
        "html over the limit is left out",
        "class A:\n  def _repr_html_(self): return 'h' * 2_000_000\nA()",
        truncated={"text/html": 2_000_000},
        formats=(VALUE,),
    ),
    value(
        "a text of many bytes a character is cut at a character",
        "'漢' * 1_000_000",
        truncated={"text/plain": 3_000_002},
        text_has=("漢漢",),
    ),
)
