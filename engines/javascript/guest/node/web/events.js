/** `Event`, `EventTarget` and `CustomEvent`, as the DOM defines them for targets without a tree. */
import { customInspect, inspect } from "../inspect.js";
import { invalidArgType } from "../errors.js";
import { now } from "../loop.js";
import { nextTick } from "../ticks.js";

let markOf;

export class Event {
  #type;
  #cancelable;
  #bubbles;
  #composed;
  #mark = {
    target: null,
    stopped: false,
    ended: false,
    prevented: false,
    dispatching: false,
    passive: false,
  };
  #time = now();

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new TypeError('The "type" argument must be specified');
    this.#type = `${type}`;
    this.#cancelable = !!options?.cancelable;
    this.#bubbles = !!options?.bubbles;
    this.#composed = !!options?.composed;
  }

  static {
    markOf = (event) => event.#mark;
  }

  get type() {
    return this.#type;
  }
  get target() {
    return this.#mark.target;
  }
  get srcElement() {
    return this.#mark.target;
  }
  get currentTarget() {
    return this.#mark.dispatching ? this.#mark.target : null;
  }
  get cancelable() {
    return this.#cancelable;
  }
  get bubbles() {
    return this.#bubbles;
  }
  get composed() {
    return this.#composed;
  }
  get defaultPrevented() {
    return this.#cancelable && this.#mark.prevented;
  }
  get returnValue() {
    return !this.defaultPrevented;
  }
  get eventPhase() {
    return this.#mark.dispatching ? Event.AT_TARGET : Event.NONE;
  }
  get timeStamp() {
    return this.#time;
  }
  get isTrusted() {
    return false;
  }
  get cancelBubble() {
    return this.#mark.stopped;
  }
  set cancelBubble(value) {
    if (value) this.#mark.stopped = true;
  }
  composedPath() {
    return this.#mark.dispatching ? [this.#mark.target] : [];
  }
  preventDefault() {
    if (!this.#mark.passive) this.#mark.prevented = true;
  }
  stopPropagation() {
    this.#mark.stopped = true;
  }
  stopImmediatePropagation() {
    this.#mark.stopped = this.#mark.ended = true;
  }

  [customInspect](depth, options) {
    const { name } = this.constructor;
    if (depth < 0) return name;
    const { type, defaultPrevented, cancelable, timeStamp } = this;
    const shown = { type, defaultPrevented, cancelable, timeStamp };
    return `${name} ${inspect(shown, { ...options, depth: null })}`;
  }

  static NONE = 0;
  static CAPTURING_PHASE = 1;
  static AT_TARGET = 2;
  static BUBBLING_PHASE = 3;
}

export class CustomEvent extends Event {
  #detail;
  constructor(type, options) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }
  get detail() {
    return this.#detail;
  }
}

function call(target, callback, event) {
  if (typeof callback === "function") Reflect.apply(callback, target, [event]);
  else callback.handleEvent(event);
}

/** What a listener throws is nobody's here: it is thrown when the running code has ended, as in Node. */
function rethrow(error) {
  nextTick(() => {
    throw error;
  });
}

export class EventTarget {
  #listeners = new Map();

  addEventListener(type, callback, options = undefined) {
    if (callback == null) return;
    if (typeof callback !== "function" && typeof callback !== "object") {
      throw invalidArgType("listener", "EventListener", callback);
    }
    const capture = typeof options === "boolean" ? options : !!options?.capture;
    const { once = false, passive = false, signal } = typeof options === "object" && options ? options : {};
    if (signal?.aborted) return;
    const name = `${type}`;
    const listeners = this.#listeners.get(name) ?? [];
    if (listeners.some((one) => one.callback === callback && one.capture === capture)) return;
    listeners.push({ callback, capture, once, passive, removed: false });
    this.#listeners.set(name, listeners);
    signal?.addEventListener("abort", () => this.removeEventListener(name, callback, capture), {
      once: true,
    });
  }

  removeEventListener(type, callback, options = undefined) {
    const capture = typeof options === "boolean" ? options : !!options?.capture;
    const listeners = this.#listeners.get(`${type}`);
    const place = listeners?.findIndex((one) => one.callback === callback && one.capture === capture) ?? -1;
    if (place < 0) return;
    listeners[place].removed = true;
    listeners.splice(place, 1);
  }

  dispatchEvent(event) {
    if (!(event instanceof Event)) throw invalidArgType("event", "Event", event);
    const mark = markOf(event);
    if (mark.dispatching)
      throw new DOMException("The event is already being dispatched", "InvalidStateError");
    mark.target = this;
    mark.dispatching = true;
    for (const listener of [...(this.#listeners.get(event.type) ?? [])]) {
      if (mark.ended) break;
      if (listener.removed) continue;
      if (listener.once) this.removeEventListener(event.type, listener.callback, listener.capture);
      mark.passive = listener.passive;
      try {
        call(this, listener.callback, event);
      } catch (error) {
        rethrow(error);
      }
    }
    mark.dispatching = mark.passive = false;
    return !event.defaultPrevented;
  }

  [customInspect](depth, options) {
    return `${this.constructor.name} ${inspect({}, options)}`;
  }
}

/** Gives a class an `onNAME` property, whose function is a listener like any other. */
export function defineHandler(target, type) {
  const handlers = new WeakMap();
  Object.defineProperty(target, `on${type}`, {
    configurable: true,
    enumerable: true,
    get() {
      return handlers.get(this)?.handler ?? null;
    },
    set(handler) {
      const known = handlers.get(this);
      if (known) known.handler = handler;
      else {
        const entry = { handler };
        handlers.set(this, entry);
        this.addEventListener(type, (event) => {
          if (typeof entry.handler === "function") Reflect.apply(entry.handler, this, [event]);
        });
      }
    },
  });
}
