// Runs a session in Node's own REPL, entry by entry. Reads the sources from a JSON file (first argument) and
// writes one JSON line for each to a second file; NUL on both streams ends what an entry printed.
'use strict';
const fs = require('node:fs');
const repl = require('node:repl');
const util = require('node:util');
const { PassThrough } = require('node:stream');

const [, , sourcesPath, resultsPath] = process.argv;
const { sources, typescript } = JSON.parse(fs.readFileSync(sourcesPath, 'utf8'));
const stripTypes = typescript ? typeStripper() : (source) => source;
const write = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream));

// The interactive `node` shares its global object with the REPL, too.
const [input, output] = [new PassThrough(), new PassThrough()];
const server = repl.start({ input, output, prompt: '', useGlobal: true });
let settle = () => {};
// What an entry throws at once goes to the REPL's domain, which would only print it.
server._domain.removeAllListeners('error');
server._domain.on('error', (error) => settle(error));

// Types are no part of the interpreter that is asked: its own stripper when it has one, else the compiler.
function typeStripper() {
  const { stripTypeScriptTypes } = require('node:module');
  if (stripTypeScriptTypes) return (source) => stripTypeScriptTypes(source, { mode: 'transform' });
  const ts = require('typescript');
  const compilerOptions = { target: 'esnext', module: 'esnext', verbatimModuleSyntax: true };
  return (source) => ts.transpileModule(source, { compilerOptions }).outputText;
}

function evaluate(source) {
  return new Promise((resolve) => {
    settle = (error, value) => resolve({ error, failed: error !== undefined && error !== null, value });
    // From a task of its own, as a line that was typed: ticks go before promises then.
    setImmediate(() => server.eval(source + '\n', server.context, 'entry', settle));
  });
}

// An entry is over when all is done that it started.
const WORK = new Set(['Timeout', 'Immediate', 'FSReqCallback', 'FSReqPromise']);
async function allIsDone() {
  do await new Promise((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().some((kind) => WORK.has(kind)));
}

function described({ error, failed, value }) {
  if (!failed) {
    const text = value === undefined ? null : util.inspect(value, server.writer.options);
    return { value: text, error: null, message: null };
  }
  if (error instanceof Error) return { value: null, error: error.name, message: error.message };
  return { value: null, error: 'Error', message: typeof error === 'string' ? error : util.inspect(error) };
}

(async () => {
  for (const source of sources) {
    const outcome = await evaluate(stripTypes(source));
    await allIsDone();
    if (!outcome.failed && !server.underscoreAssigned) server.last = outcome.value;
    for (const to of write) to('\0');
    fs.appendFileSync(resultsPath, JSON.stringify(described(outcome)) + '\n');
  }
  process.exit(0);
})();
