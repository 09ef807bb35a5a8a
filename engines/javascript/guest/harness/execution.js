/**
 * Runs one piece of code as a cell of a REPL, step by step, as shim.c asks for it.
 *
 * An execution fails once: at the cell's own error, or at an error or a rejection that nobody caught. As in a
 * process of Node's, nothing more is waited for then; what was done until then stays.
 */
import { compileCell } from "./cells.js";
import { describeError, describeExit, describeUntold } from "./errors.js";
import { frame } from "./frames.js";
import { Rejections } from "./rejections.js";

const FULFILLED = 1;
const REJECTED = 2;
/** Answers of `advance` besides milliseconds to wait. */
const AGAIN = 0;
const OVER = -1;
const STDERR = 2;
const LAST_BYTE = 255;
/** The `status` of `finish` when the code did not end itself, and when the host asked for its end. */
const NO_STATUS = -1;
const STOPPED = -2;

export class Execution {
  constructor(native, realm, user, results) {
    this.native = native;
    this.realm = realm;
    this.user = user;
    this.results = results;
    this.rejections = new Rejections();
  }

  begin({ code, count, limits }) {
    this.code = code;
    this.cell = `<cell ${count}>`;
    this.limits = limits;
    this.promise = undefined;
    /** {error} of the first failure. */
    this.failure = undefined;
    this.frame = undefined;
    this.status = undefined;
    this.rejections.clear();
  }

  start() {
    try {
      const problem = compileCell(this.native, this.realm, this.code, this.cell);
      if (problem !== undefined) this.fail(problem.error);
      else this.promise = this.native.run();
    } catch (error) {
      this.fail(error);
    }
    if (this.promise !== undefined) this.rejections.forget(this.promise);
  }

  /** Runs what `process.nextTick` was given: 1 when there was something. */
  ticks() {
    try {
      return this.realm.library.ticks() === true ? 1 : 0;
    } catch (error) {
      this.uncaught(error);
      return 1;
    }
  }

  /** What is next: OVER, AGAIN, or so many milliseconds to wait. */
  advance() {
    if (this.checkCell() || this.checkRejections()) return OVER;
    const wait = this.realm.library.timers.next();
    if (wait !== 0) return typeof wait === "number" && wait > 0 ? wait : OVER;
    try {
      this.realm.library.timers.run();
    } catch (error) {
      this.uncaught(error);
    }
    return this.failure === undefined ? AGAIN : OVER;
  }

  checkCell() {
    if (this.failure === undefined && this.promise !== undefined) {
      const [state, value] = this.native.promise(this.promise);
      if (state === REJECTED) this.fail(value);
    }
    return this.failure !== undefined;
  }

  checkRejections() {
    for (const { promise, reason } of this.rejections.take()) {
      if (this.listened(reason, "unhandledRejection", promise)) continue;
      this.complain(`Uncaught (in promise) ${this.inspect(reason)}\n`);
      this.fail(reason);
    }
    return this.failure !== undefined;
  }

  /** An error that left a timer or a job. */
  uncaught(error) {
    if (!this.listened(error, "uncaughtException")) this.fail(error);
  }

  listened(error, origin, promise) {
    return this.realm.library.uncaught?.(error, origin, promise) === true;
  }

  fail(error) {
    this.failure ??= { error };
  }

  /** Shows the value or prepares the error. May run code of the user's. */
  settle() {
    if (this.failure === undefined && this.promise === undefined) {
      this.fail(this.realm.makeError("Error", "The code could not be started: memory is used up"));
    }
    if (this.failure === undefined) this.showValue();
    try {
      const { library } = this.realm;
      library.ending(this.failure === undefined ? 0 : 1);
      const status = library.exitCode();
      if (this.failure === undefined && Number.isInteger(status)) this.status = status & LAST_BYTE;
    } catch (error) {
      this.fail(error);
    }
    if (this.failure !== undefined) this.frame = this.errorFrame();
  }

  showValue() {
    const [state, result] = this.native.promise(this.promise);
    if (state !== FULFILLED) {
      this.fail(
        this.realm.makeError(
          "Error",
          "The code awaits something that can no longer happen: no timer and no other work is left",
          "ERR_UNSETTLED_TOP_LEVEL_AWAIT",
        ),
      );
      return;
    }
    const { value } = result;
    if (value === undefined) return;
    try {
      this.results.showValue(value);
      this.user.keepLast(value);
    } catch (error) {
      this.fail(error);
    }
  }

  errorFrame() {
    return frame("error", describeError(this.native, this.results, this.failure.error, this));
  }

  /**
   * Writes what is left to write. Runs no code of the user's: gives further fields of the last frame.
   * `status`: of code that ended itself, or one of the two above.
   */
  finish(status) {
    if (this.cell === undefined) return {};
    const stopped = status === STOPPED;
    const ended = status >= 0 ? status : this.status;
    const { library } = this.realm;
    if (status !== NO_STATUS || this.failure !== undefined) {
      library.timers.clear();
      this.rejections.clear();
    }
    const notice = this.results.notice();
    if (notice !== "") this.complain(notice);
    const error = stopped ? undefined : this.lastFrame(status, ended);
    if (error !== undefined) this.native.reply(error);
    this.begin({ code: "", count: 0, limits: this.limits });
    this.cell = undefined;
    if (stopped) return { stopped: true };
    return ended === undefined ? {} : { exitStatus: ended };
  }

  /** The error frame, if there is to be one. What was stopped, the host reports itself. */
  lastFrame(status, ended) {
    if (status === NO_STATUS && this.failure !== undefined) return this.frame ?? frame("error", describeUntold());
    return ended > 0 ? frame("error", describeExit(ended)) : undefined;
  }

  inspect(value) {
    try {
      return this.results.inspect(value);
    } catch {
      return "<a value that cannot be shown>";
    }
  }

  complain(text) {
    try {
      this.native.write(STDERR, text);
    } catch {
      // The stream is closed: nobody wants to know.
    }
  }
}
