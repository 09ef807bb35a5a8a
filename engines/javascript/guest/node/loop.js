/**
 * The event loop: which timer, immediate or completed file call runs next. Node's phases in Node's order;
 * the host sleeps in between. Uses linked lists of its own records only, so that user code cannot break it.
 */
import { native } from "./native.js";

const ceil = Math.ceil;
const monotonic = native.monotonic;
const number = Number;
const NANOSECONDS = 1_000_000;

/** Milliseconds on the monotonic clock. */
export const now = () => number(monotonic()) / NANOSECONDS;

/** A list whose records have `next` and `previous`. */
const list = () => ({ __proto__: null, first: undefined, last: undefined });

function insertAfter(queue, place, entry) {
  const next = place === undefined ? queue.first : place.next;
  entry.previous = place;
  entry.next = next;
  if (place === undefined) queue.first = entry;
  else place.next = entry;
  if (next === undefined) queue.last = entry;
  else next.previous = entry;
  entry.queue = queue;
}

function remove(entry) {
  const { queue, previous, next } = entry;
  if (queue === undefined) return;
  if (previous === undefined) queue.first = next;
  else previous.next = next;
  if (next === undefined) queue.last = previous;
  else next.previous = previous;
  entry.queue = entry.previous = entry.next = undefined;
}

const append = (queue, entry) => insertAfter(queue, queue.last, entry);

function moveAll(from, to) {
  for (let entry = from.first; entry !== undefined; entry = from.first) {
    remove(entry);
    append(to, entry);
  }
}

const timers = list();
const immediates = list();
const checking = list();
const completions = list();
const polled = list();
/** Where a round stands: timers, then calls that completed in an earlier round, then immediates. */
const [TIMERS, POLL, CHECK] = [0, 1, 2];
const PHASES = 3;
let phase = TIMERS;
/** The loop's clock, which stands still during a round as libuv's does; undefined while the loop rests. */
let loopTime;
let turning = false;
let identity = 0;

const record = (run, owner) => ({
  __proto__: null,
  run,
  owner,
  identity: ++identity,
  due: 0,
  delay: 0,
  repeat: false,
  kept: true,
  queue: undefined,
  previous: undefined,
  next: undefined,
});

/** A timer that calls `run` after `delay` milliseconds; `owner` is what the user holds. */
export function addTimer(run, delay, repeat, owner) {
  const timer = record(run, owner);
  timer.delay = delay;
  timer.repeat = repeat;
  startTimer(timer);
  return timer;
}

export function startTimer(timer) {
  remove(timer);
  // A millisecond too early: whether one passes before the first round is chance in Node; here it always has.
  loopTime ??= now() - 1;
  timer.due = loopTime + timer.delay;
  let place = timers.last;
  while (place !== undefined && place.due > timer.due) place = place.previous;
  insertAfter(timers, place, timer);
}

export function addImmediate(run, owner) {
  const immediate = record(run, owner);
  append(immediates, immediate);
  return immediate;
}

/** A call that is done already, but whose callback must not come before the round after this one. */
export function addCompletion(run) {
  append(completions, record(run));
}

export const stop = remove;
export const isActive = (entry) => entry.queue !== undefined;

export function findTimer(identity) {
  let timer = timers.first;
  while (timer !== undefined && timer.identity !== identity) timer = timer.next;
  return timer;
}

function firstKept(queue) {
  let entry = queue.first;
  while (entry !== undefined && !entry.kept) entry = entry.next;
  return entry;
}

function rest() {
  phase = TIMERS;
  loopTime = undefined;
  turning = false;
}

/** Milliseconds until something is due (0: now); -1 when nothing keeps the loop alive. */
export function untilNext() {
  const { first } = polled;
  if (first ?? completions.first ?? firstKept(checking) ?? firstKept(immediates)) return 0;
  if (firstKept(timers) === undefined) {
    rest();
    return -1;
  }
  const wait = timers.first.due - now();
  return wait <= 0 ? 0 : ceil(wait);
}

/** What is ready in the present phase; moves on to the next phase when there is nothing. */
function readyInPhase() {
  if (phase === TIMERS) {
    const timer = timers.first;
    if (timer !== undefined && timer.due <= loopTime) return timer;
    phase = POLL;
  } else if (phase === POLL) {
    if (polled.first !== undefined) return polled.first;
    moveAll(immediates, checking);
    phase = CHECK;
  } else {
    if (checking.first !== undefined) return checking.first;
    moveAll(completions, polled);
    loopTime = now();
    phase = TIMERS;
  }
  return undefined;
}

/** Runs one thing that is due, if there is one. What it throws goes through. */
export function runNext() {
  if (!turning) loopTime = now();
  turning = true;
  let entry;
  // Once through all phases and once more, for what was moved on the way.
  for (let steps = 0; entry === undefined && steps < 2 * PHASES; steps++) entry = readyInPhase();
  if (entry === undefined) return;
  remove(entry);
  try {
    entry.run();
  } finally {
    if (entry.repeat && entry.queue === undefined) startTimer(entry);
  }
}

function empty(queue) {
  while (queue.first !== undefined) remove(queue.first);
}

export function clear() {
  empty(timers);
  empty(immediates);
  empty(checking);
  empty(completions);
  empty(polled);
  rest();
}
