/** The `readline` module: lines out of a stream. There is no terminal, so there is no editing. */
import { checkFunction, codedError } from "./errors.js";
import { EventEmitter } from "./events.js";
import { StringDecoder } from "string_decoder";

const LINE_END = /\r\n|\n|\r(?!\n)|\u2028|\u2029/;

export class Interface extends EventEmitter {
  #input;
  #output;
  #decoder = new StringDecoder("utf8");
  #rest = "";
  #lines = [];
  #questions = [];
  #prompt;
  #ended = false;
  #paused = false;
  #onData = (chunk) => this.#arrive(typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
  #onEnd = () => this.#finish();
  #onError = (error) => this.emit("error", error);

  constructor(inputOrOptions, output = undefined) {
    super();
    const options =
      typeof inputOrOptions?.on === "function" ? { input: inputOrOptions, output } : inputOrOptions;
    this.#input = options.input;
    this.#output = options.output;
    this.#prompt = options.prompt ?? "> ";
    this.terminal = false;
    this.line = "";
    this.closed = false;
    this.#input.on("error", this.#onError);
    this.#input.on("data", this.#onData);
    this.#input.on("end", this.#onEnd);
    options.signal?.addEventListener("abort", () => this.close(), { once: true });
  }

  #arrive(text) {
    const parts = (this.#rest + text).split(LINE_END);
    // A carriage return at the end may be half of a line end.
    this.#rest = parts.pop();
    for (const line of parts) this.#give(line);
  }

  #give(line) {
    if (this.closed) return;
    const question = this.#questions.shift();
    if (question) question(line);
    else if (this.#paused || this.listenerCount("line") === 0) this.#lines.push(line);
    else this.emit("line", line);
  }

  #finish() {
    if (this.#ended) return;
    this.#ended = true;
    const last = this.#rest + this.#decoder.end();
    this.#rest = "";
    if (last !== "") this.#give(last);
    if (!this.#paused) this.close();
  }

  get input() {
    return this.#input;
  }
  get output() {
    return this.#output;
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    this.#input.removeListener("data", this.#onData);
    this.#input.removeListener("end", this.#onEnd);
    this.#input.removeListener("error", this.#onError);
    this.#input.pause?.();
    this.emit("close");
  }

  pause() {
    this.#paused = true;
    this.#input.pause();
    this.emit("pause");
    return this;
  }

  resume() {
    this.#paused = false;
    for (const line of this.#lines.splice(0)) this.#give(line);
    if (this.#ended) this.close();
    else this.#input.resume();
    this.emit("resume");
    return this;
  }

  setPrompt(prompt) {
    this.#prompt = `${prompt}`;
  }
  getPrompt() {
    return this.#prompt;
  }
  prompt() {
    this.#output?.write(this.#prompt);
  }
  write(text) {
    if (typeof text === "string") this.#arrive(text);
  }

  question(query, optionsOrCallback, callback = optionsOrCallback) {
    checkFunction(callback, "cb");
    // Input that is not typed arrives at once: a line that nobody took yet is the answer.
    if (this.#lines.length === 0 && this.closed)
      throw codedError(Error, "ERR_USE_AFTER_CLOSE", "readline was closed");
    this.#output?.write(query);
    if (this.#lines.length > 0) callback(this.#lines.shift());
    else this.#questions.push(callback);
  }

  async *[Symbol.asyncIterator]() {
    const lines = [];
    let wake;
    const onLine = (line) => {
      lines.push(line);
      wake?.();
    };
    const onClose = () => wake?.();
    this.on("line", onLine);
    this.on("close", onClose);
    try {
      for (;;) {
        while (lines.length > 0) yield lines.shift();
        if (this.closed) return;
        await new Promise((resolve) => (wake = resolve));
      }
    } finally {
      this.removeListener("line", onLine);
      this.removeListener("close", onClose);
      this.close();
    }
  }
}

/** The same, whose questions are promises. */
class PromisesInterface extends Interface {
  question(query) {
    const { promise, resolve } = Promise.withResolvers();
    super.question(query, resolve);
    return promise;
  }
}

Object.defineProperty(Interface.prototype.question, Symbol.for("nodejs.util.promisify.custom"), {
  value(query) {
    const { promise, resolve } = Promise.withResolvers();
    this.question(query, resolve);
    return promise;
  },
});

export const createInterface = (input, output = undefined) => new Interface(input, output);

/** What moves the cursor of a terminal has nothing to move. */
const terminal = Object.fromEntries(
  ["clearLine", "clearScreenDown", "cursorTo", "moveCursor"].map((name) => [name, () => true]),
);

export const promises = {
  Interface: PromisesInterface,
  createInterface: (input, output = undefined) => new PromisesInterface(input, output),
};
export const module = { Interface, createInterface, emitKeypressEvents() {}, ...terminal, promises };
