"""The working directory and the environment of an execution."""

from tests.contract.cases_javascript.common import value
from tests.contract.expectations import Step

SURROUNDINGS = (
    value("a variable of the call", Step("process.env.GREETING", env={"GREETING": "grüß"}), text="'grüß'"),
    value(
        "it is gone in the next execution",
        Step("process.env.A = 'b'", env={"E": "f"}),
        "['A', 'E'].map(n => n in process.env)",
        json=[False, False],
    ),
    value(
        "a changed folder is kept",
        "require('fs').mkdirSync('d'); process.chdir('d')",
        "process.cwd()",
        text="'/workspace/d'",
        cwd="/workspace/d",
    ),
    value(
        "a folder that is gone",
        "require('fs').mkdirSync('d'); process.chdir('d'); require('fs').rmdirSync('/workspace/d')",
        "process.cwd()",
        text="'/workspace'",
        cwd="/workspace",
    ),
    value(
        "an open file lives on",
        "const fs = require('fs'); const fd = fs.openSync('f', 'w'); fs.writeSync(fd, 'a')",
        "fs.writeSync(fd, 'b'); fs.closeSync(fd); fs.readFileSync('f', 'utf8')",
        text="'ab'",
    ),
)
