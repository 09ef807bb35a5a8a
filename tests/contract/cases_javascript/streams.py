"""Output and input."""

from tests.contract.cases_javascript.common import value
from tests.contract.expectations import Step

STREAMS = (
    value("log writes a line", "console.log('a', 1, {b: 2})", stdout="a 1 { b: 2 }\n", text=None),
    value(
        "the streams and their order",
        "console.log(1); console.error(2); console.info(3); console.warn(4); console.debug(5)",
        output="1\n2\n3\n4\n5\n",
        stdout="1\n3\n5\n",
        stderr="2\n4\n",
    ),
    value(
        "output before an error is kept",
        "console.log('before'); throw new Error('e')",
        stdout="before\n",
        error="Error",
    ),
    value("process.stdout", "process.stdout.write('no line end'); undefined", stdout="no line end"),
    value("output in every plane", "console.log('é漢😀\\u{10fffd}')", stdout="é漢😀\U0010fffd\n"),
    value("a lone surrogate", "console.log('a\\ud800b')", stdout_has=("a", "b\n")),
    value("standard input", Step("require('fs').readFileSync(0, 'utf8')", stdin="grüß\n"), text="'grüß\\n'"),
    value("no input is an empty text", "require('fs').readFileSync(0, 'utf8')", text="''"),
)
