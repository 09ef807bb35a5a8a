"""Code that takes apart what the harness might need."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_ruby.common import value


def redefine(owner: str, *names: str) -> str:
    """Code that makes methods of a class raise."""
    symbols = ", ".join(f"'{name}'.to_sym" for name in names)
    return f"class {owner}; [{symbols}].each {{ |m| define_method(m) {{ |*| raise 'vandal' }} }}; end; nil"


_BROKEN = {
    "String": (
        "to_s",
        "to_str",
        "==",
        "+",
        "encoding",
        "start_with?",
        "split",
        "size",
        "inspect",
        "hash",
        "force_encoding",
    ),
    "Array": (
        "each",
        "push",
        "<<",
        "[]",
        "size",
        "first",
        "last",
        "map",
        "select",
        "join",
        "+",
        "find",
        "pop",
    ),
    "Integer": ("+", "-", "*", "/", "<", ">", "==", "to_s", "&", "%", "coerce"),
    "Symbol": ("to_proc", "name", "to_s", "=="),
    "Proc": ("call", "()", "to_proc", "===", "yield"),
    "Method": ("call", "unbind", "to_proc", "owner"),
    "Binding": ("eval", "local_variables", "receiver", "irb"),
    "Regexp": ("match", "=~", "===", "match?"),
    "IO": ("write", "syswrite", "flush", "closed?", "sync=", "read", "getbyte", "fileno"),
    "Float": ("to_s", "+", "nan?"),
    "Random": ("rand", "seed", "bytes"),
    "BasicObject": ("equal?", "==", "!", "!=", "instance_eval"),
    "Exception": ("backtrace", "full_message", "cause", "backtrace_locations"),
}
VANDALISM = (
    *(
        value(f"{owner} is taken apart", redefine(owner, *names), "{a: [:b]}", json={"a": ["b"]})
        if owner not in ("String", "Array", "Integer", "Symbol", "Float")
        else value(f"{owner} is taken apart", redefine(owner, *names), "nil", text=None)
        for owner, names in _BROKEN.items()
    ),
    *(
        value(
            f"errors are told when {owner} is taken apart",
            redefine(owner, *names),
            "\n1.fdiv(nil)",
            error="TypeError",
            line=2,
        )
        for owner, names in _BROKEN.items()
        if owner != "Exception"
    ),
    value(
        "errors are told when Exception is taken apart",
        redefine("Exception", *_BROKEN["Exception"]),
        "1.fdiv(nil)",
        error="TypeError",
    ),
    value(
        "Hash is taken apart",
        redefine("Hash", "[]", "[]=", "each", "merge", "fetch", "key?", "to_h", "keys", "each_pair"),
        "{a: 1}",
        text="{a: 1}",
        json={"a": 1},
    ),
    value(
        "Kernel is taken apart",
        redefine(
            "Object",
            "raise",
            "class",
            "puts",
            "send",
            "require",
            "singleton_methods",
            "freeze",
            "method",
            "binding",
        ),
        "[1]",
        json=[1],
    ),
    value(
        "modules match nothing any more",
        "class Module; def ===(*) = false; def name = 1; end",
        "1/0",
        error="ZeroDivisionError",
        line=1,
    ),
    value(
        "exceptions match nothing any more",
        "def Exception.===(*) = false",
        "1/0",
        error="ZeroDivisionError",
        line=1,
    ),
    value(
        "nil and true are turned around",
        "class NilClass; def ! = false; def nil? = false; end; class TrueClass; def ! = true; end",
        "nil",
        text=None,
    ),
    value(
        "the saved methods cannot be replaced",
        "class UnboundMethod; def bind_call(*) = 1; end",
        error="FrozenError",
    ),
    value("nor prepended", "UnboundMethod.prepend(Module.new { def bind_call(*) = 1 })", error="FrozenError"),
    value(
        "json is taken apart",
        "JSON::Ext::Generator::State.class_eval { def generate(*) = raise('v') }; class JSON::Ext::ParserConfig; def parse(*) = raise('v'); end",
        "[5]",
        json=[5],
    ),
    value(
        "constants are removed",
        "%i[JSON String Array Hash IO Exception SystemExit].each { |n| Object.send(:remove_const, n) }; nil",
        "exit 3",
        error="SystemExit",
        exit_status=3,
    ),
    value(
        "all constants are removed",
        "Object.constants.each { |n| Object.send(:remove_const, n) rescue nil }; nil",
        "[1, 'a']",
        json=[1, "a"],
    ),
    value(
        "files and folders are taken apart",
        "class << IO; def binread(*) = raise; def binwrite(*) = raise; def for_fd(*) = 1; end; class << Dir; def chdir(*) = raise; def pwd = raise; end; class << ENV; def replace(*) = raise; end",
        "2",
        text="2",
        cwd="/workspace",
    ),
    value(
        "randomness is taken apart",
        "class << Random; def srand(*) = raise; def rand(*) = raise; end",
        "2",
        text="2",
    ),
    value("main is frozen", "freeze", "2", text="2"),
    value(
        "classes are frozen",
        "[Object, BasicObject, Kernel, Module, Class, String].each(&:freeze); nil",
        "2",
        text="2",
    ),
    value(
        "a trace that raises",
        "TracePoint.new(:call, :c_call, :line, :return, :raise) { raise 'trace' }.enable",
        "5",
        text="5",
    ),
    value("a trace function that raises", "set_trace_func(proc { raise 'trace' })", "5", text="5"),
    value(
        "a trace sees the user's code",
        "seen = []\nTracePoint.new(:line) { |t| seen << t.lineno }.enable {\n  x = 1\n  x += 1\n}\nseen",
        json=[3, 4],
    ),
    value(
        "variables are watched",
        "trace_var(:$stdout, proc { raise 'x' }); trace_var(:$0, proc { raise 'x' })",
        "puts 1",
        stdout="1\n",
    ),
    value("a standard stream has another name", "alias $stdout $other", "puts 1", stdout="1\n"),
    value(
        "separators are set", "$, = 'x'; $; = 'y'; $/ = 'z'; nil", "[1, 'a b'.split('b')]", json=[1, ["a "]]
    ),
    value("the collector is stressed", "GC.stress = true; nil", "5", text="5"),
    value("the collector is off", "GC.disable; nil", "5", text="5"),
    value(
        "default encodings are set",
        "Encoding.default_internal = Encoding.default_external = 'UTF-16LE'; nil",
        "['é']",
        json=["é"],
    ),
    value("warnings and debugging are on", "$VERBOSE = true; $DEBUG = true; nil", "5", text="5"),
    value(
        "everything answers to every name",
        "class Object; def method_missing(*) = 1; end; nil",
        "[Object.new].size",
        text="1",
    ),
    value(
        "a finalizer that raises",
        "ObjectSpace.define_finalizer(+'', proc { raise 'x' }); nil",
        "GC.start; 5",
        text="5",
    ),
    value(
        "descriptors are closed",
        "[0, 1, 2].each { |n| IO.for_fd(n, autoclose: false).close }; nil",
        "puts 8",
        stdout="8\n",
    ),
    value("a thrown object that is no symbol", "throw Object.new", "5", text="5", may_fail_before=True),
    value("the private device holds nothing", "File.read('/dev/torpor')", text='""'),
    value(
        "writing nonsense to the private device",
        "File.write('/dev/torpor', \"nonsense\\n\")",
        error="EngineError",
    ),
    value(
        "and the context lives on",
        "x = 1",
        "File.write('/dev/torpor', \"nonsense\\n\")",
        "x",
        text="1",
        may_fail_before=True,
    ),
    value(
        "the harness's modules are found and cannot be changed",
        "m = ObjectSpace.each_object(Module).find { |o| o.name == 'Torpor::Server' }; def m.serve = nil",
        error="FrozenError",
    ),
    value(
        "nor emptied",
        "ObjectSpace.each_object(Module).find { |o| o.name == 'Torpor::Natives' }.send(:remove_const, :HASH)",
        error="FrozenError",
    ),
)
