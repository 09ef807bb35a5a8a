/**
 * Promises that were rejected and that nobody handles, in the order of their rejection.
 */
export class Rejections {
  #waiting = new Map();

  /** The engine tells of a rejection, or that a rejected promise is handled after all. */
  note(promise, reason, isHandled) {
    if (isHandled) this.#waiting.delete(promise);
    else this.#waiting.set(promise, reason);
  }

  forget(promise) {
    this.#waiting.delete(promise);
  }

  take() {
    if (this.#waiting.size === 0) return [];
    const taken = [...this.#waiting].map(([promise, reason]) => ({ promise, reason }));
    this.#waiting.clear();
    return taken;
  }

  clear() {
    if (this.#waiting.size > 0) this.#waiting.clear();
  }
}
