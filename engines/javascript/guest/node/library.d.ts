/**
 * What the library gives the harness: `main.js`'s default export makes it, once, at boot. Everything here works
 * whatever users have overwritten since, but for `inspect` and `format`, which call what a value itself defines.
 */
export interface Library {
  /** `util.inspect` and its kin, with Node 20's texts. */
  inspect(value: unknown, options?: object): string;
  format(...values: unknown[]): string;
  formatWithOptions(options: object, ...values: unknown[]): string;

  /** Exports of the builtin modules by name, without "node:". */
  modules: Record<string, () => unknown>;
  /** The error of a module that Node has and the sandbox has not; undefined when Node has none of that name. */
  missing(name: string): Error | undefined;

  timers: {
    /** Milliseconds until something is due; 0: now; -1: nothing keeps the execution waiting. */
    next(): number;
    /** Runs one thing that is due (ticks first). What it throws goes through. Promise jobs come after each. */
    run(): void;
    /** Forgets everything that waits, after an execution that failed or ended itself. */
    clear(): void;
  };
  /** Runs the queue of process.nextTick, before promise jobs; true if there was one. What one throws goes through. */
  ticks(): boolean;

  /** Makes process.env exactly this. */
  setEnvironment(variables: Record<string, string>): void;
  /** The working directory; `set` does not check. */
  directory: { get(): string; set(path: string): void };
  /** A new process.stdin. */
  beginExecution(): void;

  /** The Error for a failed file call, by Linux' number. */
  systemError(errno: number, syscall: string, path?: string, destination?: string): Error;
  /** Asks the listeners of `process`; true when there was one. */
  uncaught(error: unknown, origin: "uncaughtException" | "unhandledRejection", promise?: object): boolean;
  /** Tells the listeners of 'exit' and forgets them; gives the status to end with. */
  ending(status: number): number;
  /** process.exitCode if the code set it (0 to 255), which is forgotten then. */
  exitCode(): number | undefined;
}
