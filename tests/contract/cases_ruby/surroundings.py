"""Files, libraries, environment variables, and what a sandbox does not have."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_ruby.common import value
from tests.contract.expectations import Case, Expect, Step

FILES = (
    Case(
        "a library in /workspace",
        ("require 'helper'; helper_n",),
        Expect(text="9"),
        {"helper.rb": "def helper_n = 9\n"},
    ),
    Case(
        "require_relative",
        ("require_relative 'helper'; helper_n",),
        Expect(text="9"),
        {"helper.rb": "def helper_n = 9\n"},
    ),
    value(
        "a library written a moment ago",
        "File.write('fresh.rb', 'FRESH = 1')",
        "require 'fresh'; FRESH",
        text="1",
    ),
    Case(
        "files cannot take the standard library's place",
        ("require 'set'; require 'English'; defined?(STOLEN).inspect",),
        Expect(text='"nil"'),
        {"English.rb": "STOLEN = 1", "set.rb": "STOLEN = 1"},
    ),
    Case(
        "a traceback through a library shows its lines",
        ("require 'bad'\nbad",),
        Expect(
            error="RuntimeError",
            line=2,
            traceback_has=("/workspace/bad.rb:2:in 'Object#bad': x (RuntimeError)",),
        ),
        {"bad.rb": "def bad\n  raise 'x'\nend\n"},
    ),
    Case(
        "a library that does not compile",
        ("\nrequire 'broken'",),
        Expect(error="SyntaxError", line=2),
        {"broken.rb": "x = = 1"},
    ),
    value(
        "a changed folder is kept",
        "Dir.mkdir('d'); Dir.chdir('d')",
        "Dir.pwd",
        text='"/workspace/d"',
        cwd="/workspace/d",
    ),
    value(
        "a folder that is gone",
        "Dir.mkdir('d'); Dir.chdir('d'); Dir.rmdir('/workspace/d')",
        "Dir.pwd",
        text='"/workspace"',
        cwd="/workspace",
    ),
    value(
        "names that are not ASCII",
        "File.write('é漢😀.txt', 'ü'); [Dir.children('.'), File.read('é漢😀.txt')]",
        json=[["é漢😀.txt"], "ü"],
    ),
    value(
        "temporary files",
        "require 'tempfile'\nf = Tempfile.create { |t| t.write('x'); t.path }\n[File.dirname(f), Dir.tmpdir, Dir.children('.')]",
        json=["/workspace", "/workspace", []],
    ),
    value(
        "fileutils",
        "require 'fileutils'\nFileUtils.mkdir_p('a/b'); FileUtils.touch('a/b/c'); FileUtils.cp('a/b/c', 'd'); FileUtils.rm_rf('a'); Dir.glob('**/*')",
        json=["d"],
    ),
    value(
        "pathname",
        "require 'pathname'\nPathname('a.txt').write('x'); Pathname('.').children.map(&:to_s)",
        json=["a.txt"],
    ),
    value(
        "a removed file stays open",
        "f = File.open('a', 'w+'); f.write('x'); f.rewind; File.delete('a'); nil",
        "f.read",
        text='"x"',
    ),
    value("there is no host", "File.read('/etc/passwd')", error="Errno::ENOENT"),
    value(
        "the standard library cannot be written",
        "File.write('/usr/local/lib/ruby/x', '')",
        error="Errno::ENOENT",
    ),
)

ENVIRONMENT = (
    value("a variable of the call", Step("ENV['GREETING']", env={"GREETING": "grüß"}), text='"grüß"'),
    value(
        "all variables",
        Step("[ENV.to_h, ENV.map { |k, v| v }, ENV.fetch('A'), ENV.key('ü')]", env={"A": "ü"}),
        json=[{"A": "ü"}, ["ü"], "ü", "A"],
    ),
    value(
        "a variable is gone in the next execution",
        Step("ENV['A'] = 'b'; ENV.keys", env={"E": "f"}),
        "ENV.to_h",
        json={},
    ),
)

LIBRARIES = (
    value("json", "require 'json'; JSON.parse('{\"a\": [1]}')", json={"a": [1]}),
    value("yaml", "require 'yaml'; YAML.load(\"a:\\n- 1\\n\")", json={"a": [1]}),
    value("yaml is written", "require 'yaml'; {'a' => 1}.to_yaml", text='"---\\na: 1\\n"'),
    value(
        "date and time",
        "require 'date'; require 'time'; [Date.new(2024, 2, 29).next_year.to_s, Time.utc(2024).iso8601]",
        json=["2025-02-28", "2024-01-01T00:00:00Z"],
    ),
    value(
        "digest",
        "require 'digest'; [Digest::MD5.hexdigest('a')[0, 8], Digest::SHA256.hexdigest('a')[0, 8]]",
        json=["0cc175b9", "ca978112"],
    ),
    value("erb", "require 'erb'; ERB.new('<%= 1 + 1 %>').result", text='"2"'),
    value("securerandom", "require 'securerandom'; SecureRandom.hex != SecureRandom.hex", text="true"),
    value("zlib", "require 'zlib'; Zlib.inflate(Zlib.deflate('abc'))", text='"abc"'),
    value("strscan", "require 'strscan'; StringScanner.new('ab 12').scan(/\\w+/)", text='"ab"'),
    value(
        "optparse",
        "require 'optparse'; o = {}; OptionParser.new { |p| p.on('-v') { o[:v] = true } }.parse!(['-v']); o",
        json={"v": True},
    ),
    value(
        "forwardable, delegate, singleton",
        "require 'forwardable'; require 'delegate'; require 'singleton'; class S; include Singleton; end; S.instance.equal?(S.instance)",
        text="true",
    ),
    value(
        "tsort, shellwords, uri, open3",
        "require 'tsort'; require 'shellwords'; require 'uri'; require 'open3'; ['a b'.shellescape, URI('http://a.test/b').path]",
        json=["a\\ b", "/b"],
    ),
    value(
        "ripper and prism",
        "require 'ripper'; require 'prism'; [Ripper.sexp('1').class, Prism.parse('1').success?]",
        text="[Array, true]",
    ),
    value(
        "pattern matching and data",
        "P = Data.define(:x, :y)\ncase P.new(x: 1, y: [2, 3])\nin {x:, y: [a, *]} then [x, a]\nend",
        json=[1, 2],
    ),
    value(
        "bundled gems",
        "require 'csv'; require 'matrix'; require 'prime'; require 'ostruct'\n"
        "[CSV.parse('1,2'), Matrix[[1, 2], [3, 4]].determinant, Prime.first(3), OpenStruct.new(a: 1).a]",
        json=[[["1", "2"]], -2, [2, 3, 5], 1],
    ),
    value(
        "a logger",
        "require 'logger'; Logger.new($stderr, formatter: ->(*, text) { text }).warn('careful')",
        stderr="careful",
    ),
    value(
        "tests run at the exit",
        "require 'minitest/autorun'\nclass T < Minitest::Test; def test_it = assert_equal(2, 1 + 1); end",
        "exit",
        stdout_has=("1 runs, 1 assertions, 0 failures",),
        exit_status=0,
    ),
    value("unicode normalization", "'é'.unicode_normalize(:nfd).size", text="2"),
    value(
        "a library that is not in this build",
        "require 'bigdecimal'",
        error="LoadError",
        message="cannot load such file -- bigdecimal",
        line=1,
    ),
)

_NOT_HERE = {
    "system('ls')": "no processes",
    "`ls`": "no processes",
    "exec('ls')": "no processes",
    "spawn('ls')": "no processes",
    "fork { }": "no processes",
    "Process.spawn('ls')": "no processes",
    "Process.wait": "no processes",
    "IO.popen('ls')": "no processes",
    "require 'open3'; Open3.capture2('ls')": "no pipes",
    "IO.pipe": "no pipes",
    "Process.kill(:TERM, 0)": "no signals",
    "Thread.new { }": "no threads",
    "Thread.start { }": "no threads",
    "Ractor.new { }": "no ractors",
    "require 'timeout'; Timeout.timeout(1) { }": "no threads",
}
MACHINE = (
    *(
        value(f"{code} says why it fails", code, error="NotImplementedError", message_has=(reason,), line=1)
        for code, reason in _NOT_HERE.items()
    ),
    value("a timeout without a limit", "require 'timeout'; Timeout.timeout(nil) { 5 }", text="5"),
    value("a socket library", "require 'socket'", error="LoadError"),
    value("the bridge to JavaScript", "require 'js'", error="LoadError", message_has=("no JavaScript",)),
    value("continuations", "require 'continuation'", error="LoadError", message_has=("use a Fiber",)),
    value("sleep", "sleep 0.01; 'slept'", text='"slept"'),
    value("a mutex and a queue", "q = Queue.new; q << 1; Mutex.new.synchronize { q.pop }", text="1"),
    value(
        "the clock goes on",
        "t = Process.clock_gettime(Process::CLOCK_MONOTONIC); nil",
        "Process.clock_gettime(Process::CLOCK_MONOTONIC) > t",
        text="true",
    ),
    value("the version", "[RUBY_VERSION, RUBY_ENGINE, RUBY_PLATFORM]", json=["4.0.0", "ruby", "wasm32-wasi"]),
)
