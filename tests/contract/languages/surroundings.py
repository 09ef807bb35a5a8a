"""Streams, environment, working directory, files and time, as an execution finds them."""

from tests.contract.expectations import Step
from tests.contract.languages.rows import Differs, row

STREAMS = (
    row(
        "both streams keep their order",
        python="import sys\nfor n in range(2):\n    print('out', n)\n    print('err', n, file=sys.stderr)",
        javascript="for (let n = 0; n < 2; n++) { console.log('out', n); console.error('err', n) }",
        perl='for my $n (0 .. 1) { print "out $n\\n"; print STDERR "err $n\\n" }',
        ruby='2.times { |n| puts "out #{n}"; warn "err #{n}" }',
        output="out 0\nerr 0\nout 1\nerr 1\n",
        stdout="out 0\nout 1\n",
        stderr="err 0\nerr 1\n",
    ),
    row(
        "a line without its end is written too",
        python="print('half', end='')",
        javascript="process.stdout.write('half'); undefined",
        perl="print 'half'; undef",
        ruby="print 'half'",
        stdout="half",
    ),
    row(
        "unicode is written once encoded",
        python="print('aé漢😀')",
        javascript="console.log('aé漢😀')",
        perl='print "aé漢😀\\n"; undef',
        ruby="puts 'aé漢😀'",
        stdout="aé漢😀\n",
        stderr="",
    ),
    row(
        "input is read to its end",
        python=(Step("import sys\n[line.strip() for line in sys.stdin]", stdin="one\ntwo\n"),),
        javascript=(Step("require('fs').readFileSync(0, 'utf8').trim().split('\\n')", stdin="one\ntwo\n"),),
        perl=(Step("my @lines = <STDIN>; chomp @lines; [@lines]", stdin="one\ntwo\n"),),
        ruby=(Step("$stdin.readlines(chomp: true)", stdin="one\ntwo\n"),),
        json=["one", "two"],
    ),
    row(
        "each execution has its own input",
        python=(Step("import sys; sys.stdin.read()", stdin="old"), Step("sys.stdin.read()", stdin="new")),
        javascript=(
            Step("require('fs').readFileSync(0, 'utf8')", stdin="old"),
            Step("require('fs').readFileSync(0, 'utf8')", stdin="new"),
        ),
        perl=(Step("join '', <STDIN>", stdin="old"), Step("join '', <STDIN>", stdin="new")),
        ruby=(Step("$stdin.read", stdin="old"), Step("$stdin.read", stdin="new")),
        text_has=("new",),
        text_lacks=("old",),
    ),
    row(
        "closing the output does not silence the next execution",
        python=("import sys; sys.stdout.close()", "print('heard')"),
        javascript=("require('fs').closeSync(1)", "console.log('heard')"),
        perl=("close STDOUT;", 'print "heard\\n"; undef'),
        ruby=("$stdout.close", "puts 'heard'"),
        may_fail_before=True,
        stdout="heard\n",
    ),
)

SURROUNDINGS = (
    row(
        "an environment variable of the execution",
        python=(Step("import os; os.environ['CUP']", env={"CUP": "tea é"}),),
        javascript=(Step("process.env.CUP", env={"CUP": "tea é"}),),
        perl=(Step("$ENV{CUP}", env={"CUP": "tea é"}),),
        ruby=(Step("ENV['CUP']", env={"CUP": "tea é"}),),
        text_has=("tea é",),
    ),
    row(
        "an environment variable is gone when it is not given again",
        python=(Step("1", env={"CUP": "tea"}), "import os; 'CUP' in os.environ"),
        javascript=(Step("1", env={"CUP": "tea"}), "'CUP' in process.env"),
        perl=(Step("1", env={"CUP": "tea"}), "exists $ENV{CUP} ? 'true' : 'false'"),
        ruby=(Step("1", env={"CUP": "tea"}), "ENV.key?('CUP')"),
        text_has=("alse",),
    ),
    row(
        "the working directory stays changed",
        python=("import os; os.mkdir('d'); os.chdir('d'); open('x', 'w').close()", "os.listdir('.')"),
        javascript=(
            "const fs = require('fs'); fs.mkdirSync('d'); process.chdir('d'); fs.writeFileSync('x', '')",
            "fs.readdirSync('.')",
        ),
        perl=("mkdir 'd'; chdir 'd' or die $!; open my $o, '>', 'x' or die $!; close $o;", "[glob '*']"),
        ruby=("Dir.mkdir('d'); Dir.chdir('d'); File.write('x', '')", "Dir.children('.')"),
        json=["x"],
        cwd="/workspace/d",
    ),
    row(
        "a working directory that is gone is /workspace",
        python=("import os; os.mkdir('d'); os.chdir('d'); os.rmdir('/workspace/d')", "os.getcwd()"),
        javascript=(
            "const fs = require('fs'); fs.mkdirSync('d'); process.chdir('d'); fs.rmdirSync('/workspace/d')",
            "process.cwd()",
        ),
        perl=("mkdir 'd'; chdir 'd' or die $!; rmdir '/workspace/d' or die $!;", "use Cwd; getcwd()"),
        ruby=("Dir.mkdir('d'); Dir.chdir('d'); Dir.rmdir('/workspace/d')", "Dir.pwd"),
        text_has=("/workspace",),
        text_lacks=("/d",),
        cwd="/workspace",
    ),
    row(
        "a missing file is the language's own error",
        python="open('nowhere')",
        javascript="require('fs').readFileSync('nowhere')",
        perl="open my $f, '<', 'nowhere' or die \"nowhere: $!\\n\";",
        ruby="File.read('nowhere')",
        error="FileNotFoundError",
        message_has=("nowhere", "o such file or directory"),
        differs={
            "JAVASCRIPT": Differs("its own classes", {"error": "Error"}),
            "PERL": Differs("open answers false; the die is the user's", {"error": "PerlError"}),
            "RUBY": Differs("its own classes", {"error": "Errno::ENOENT"}),
        },
    ),
    row(
        "nothing of the host is there",
        python="import os; os.path.exists('/etc/passwd') or os.path.exists('/proc')",
        javascript="const {existsSync} = require('fs'); existsSync('/etc/passwd') || existsSync('/proc')",
        perl="(-e '/etc/passwd' || -e '/proc') ? 'true' : 'false'",
        ruby="File.exist?('/etc/passwd') || File.exist?('/proc')",
        text_has=("alse",),
    ),
    row(
        "bytes survive a file",
        python=(
            "open('b', 'wb').write(bytes(range(256)))",
            "open('b', 'rb').read() == bytes(range(256))",
        ),
        javascript=(
            "require('fs').writeFileSync('b', Uint8Array.from({length: 256}, (_, i) => i))",
            "require('fs').readFileSync('b').every((byte, i) => byte === i)",
        ),
        perl=(
            "open my $o, '>:raw', 'b' or die; print $o pack 'C*', 0 .. 255; close $o;",
            "open my $i, '<:raw', 'b' or die; local $/; <$i> eq pack('C*', 0 .. 255) ? 'true' : 'false'",
        ),
        ruby=(
            "File.binwrite('b', (0..255).to_a.pack('C*'))",
            "File.binread('b') == (0..255).to_a.pack('C*')",
        ),
        text_has=("rue",),
    ),
    row(
        "waiting takes its time",
        python="import time; t = time.monotonic(); time.sleep(0.05); time.monotonic() - t >= 0.05",
        javascript=(
            "const t = performance.now(); await new Promise(r "
            "=> setTimeout(r, 50)); performance.now() - t >= 49"
        ),
        perl=(
            "use Time::HiRes qw(time sleep); my $t = time; sleep 0.05; time - $t >= 0.049 ? 'true' : 'false'"
        ),
        ruby=(
            "t = Process.clock_gettime(Process::CLOCK_MONOTONIC); sleep "
            "0.05; Process.clock_gettime(Process::CLOCK_MONOTONIC) - t >= 0.05"
        ),
        text_has=("rue",),
    ),
    row(
        "the clock tells today",
        python="import time; time.time() > 1_700_000_000",
        javascript="Date.now() > 1_700_000_000_000",
        perl="time > 1_700_000_000 ? 'true' : 'false'",
        ruby="Time.now.to_i > 1_700_000_000",
        text_has=("rue",),
    ),
)
