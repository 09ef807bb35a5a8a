"""stdout, stderr and stdin."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_perl.common import value
from tests.contract.expectations import Step

STREAMS = (
    value(
        "both streams keep their order",
        "print 'a'; print STDERR 'b'; print \"c\\n\"; warn \"d\\n\"; printf '%s', 'e'; undef",
        output="abc\nd\ne",
        stderr="bd\n",
    ),
    value("text is written as UTF-8", 'print "é漢😀\\x{e9}\\n"; undef', stdout="é漢😀é\n", stderr=""),
    value(
        "stdin is text",
        Step("my $l = <STDIN>; chomp $l; [$l, length $l]", stdin="zwei ü\nx"),
        json=["zwei ü", 6],
    ),
    value(
        "stdin line by line",
        Step("my @l; while (my $l = <STDIN>) { chomp $l; push @l, $l } [@l]", stdin="one\ntwo\n"),
        json=["one", "two"],
    ),
    value("the diamond reads stdin", Step("my @l = <>; scalar @l", stdin="one\ntwo\n"), text="2"),
    value(
        "the end of stdin",
        "defined(my $l = <STDIN>) ? 'line' : 'end'",
        "eof(STDIN) ? 'end' : 'more'",
        text="end",
    ),
    value(
        "stdin is new for each execution",
        Step("<STDIN>; undef", stdin="a\nb\nc\n"),
        Step("join '', <STDIN>", stdin="new\n"),
        text="new\n",
    ),
    value("a line without its end arrives", "print 'no newline'; undef", stdout="no newline"),
    value("buffered output arrives at the end", "$| = 0; print 'held'; undef", stdout="held"),
    value("the setting of the buffer lives on", "$| = 0; undef", "$|", text="0"),
    value(
        "a closed stdout is back in the next execution", "close STDOUT;", "print 'back'; undef", stdout="back"
    ),
    value(
        "a closed stderr is back in the next execution",
        "close STDERR;",
        'warn "back\\n"; undef',
        stderr="back\n",
    ),
    value(
        "a closed stdin is back in the next execution",
        "close STDIN;",
        Step("<STDIN>", stdin="back\n"),
        text="back\n",
    ),
    value(
        "output into a string",
        "my $text = ''; { local *STDOUT; open STDOUT, '>', \\$text; print 'caught'; } print 'seen'; $text",
        text="caught",
        stdout="seen",
    ),
    value(
        "output into a file",
        "close STDOUT; open STDOUT, '>', 'out.txt' or die; print \"to file\\n\"; undef",
        "open my $f, '<', 'out.txt'; print 'seen'; <$f>",
        text="to file\n",
        stdout="seen",
    ),
    value(
        "a selected handle",
        "my $text = ''; open my $m, '>', \\$text; my $old = select $m; print 'x'; select $old; print 'y'; close $m; $text",
        text="x",
        stdout="y",
    ),
    value(
        "a handle stays selected",
        "open our $log, '>', 'log'; select $log; undef",
        "print 'to the log'; select STDOUT; close $log; -s 'log'",
        text="10",
        stdout="",
    ),
    value(
        "a tied stdout stays tied",
        "package T { sub TIEHANDLE { bless [] } sub PRINT { print STDERR \"tied: $_[1]\\n\"; 1 } } tie *STDOUT, 'T'; undef",
        "print 'x'; untie *STDOUT; print 'y'; undef",
        output="tied: x\ny",
    ),
    value("stdout given away is back", "*STDOUT = *STDERR; undef", "print 'x'; undef", stdout="x", stderr=""),
    value("layers live on", "binmode STDOUT, ':raw'; undef", 'print "\\xc3\\xa9"; undef', stdout="é"),
    value(
        "formats are written",
        "our ($l, $r) = ('ab', 12);\nformat STDOUT =\n@<<< @>>>\n$l,  $r\n.\nwrite; undef",
        stdout="ab     12\n",
    ),
)
