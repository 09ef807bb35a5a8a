"""Values and outputs that are large, deep or many."""

from tests.contract.cases_perl.common import VALUE, value

LIMITS = (
    value(
        "a long text is cut",
        "'x' x 3_000_000",
        truncated={"text/plain": 3_000_000},
        text_has=("... [cut: 3,000,000 bytes in all]",),
    ),
    value("a long list is cut", "[1 .. 300_000]", text_has=("[cut: over",), formats=VALUE),
    value(
        "json that fits stays beside a text that is cut",
        "[('x' x 100) x 8_000]",
        formats=("application/json", "text/plain"),
        text_has=("[cut:",),
    ),
    value("a large array costs nothing that is not asked for", "my @big = (1 .. 200_000);", text="200000"),
    value("a container nested deeper than json", "my $d = []; $d = [$d] for 1 .. 150; $d", formats=VALUE),
    value(
        "a container as deep as json",
        "my $d = []; $d = [$d] for 1 .. 149; $d",
        formats=("application/json", "text/plain"),
    ),
    value(
        "a container nested very deeply",
        "my $d = []; $d = [$d] for 1 .. 50_000; $d",
        formats=VALUE,
        text_has=("...",),
    ),
    value(
        "a text of four bytes a character is cut between characters",
        "'😀' x 500_000",
        truncated={"text/plain": 2_000_000},
        text_has=("[cut: 2,000,000 bytes",),
        text_lacks=("\ufffd",),
    ),
    value(
        "too much memory ends the interpreter",
        "my $n = 1;",
        "my @l; push @l, 'x' x 1_000_000 while 1;",
        error="ExecutionLimitError",
        message_has=("memory exhausted",),
        stderr_has=("Out of memory",),
    ),
    value(
        "the context is as it was",
        "my $n = 1;",
        "$n = 2; my @l; push @l, 'x' x 1_000_000 while 1;",
        "$n",
        text="1",
        may_fail_before=True,
    ),
)
