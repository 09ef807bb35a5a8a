/**
 * What the inspector asks the engine for: the state of promises, the ends of proxies, the entries of
 * iterators and weak collections. Completes the inspector's own stand-ins, which know none of it.
 */
import { native } from "./native.js";

const PENDING = 0;
const REJECTED = 2;

function flattened(pairs) {
  const flat = [];
  for (let i = 0; i < pairs.length; i++) {
    flat[2 * i] = pairs[i][0];
    flat[2 * i + 1] = pairs[i][1];
  }
  return flat;
}

/** As V8 does: the values, and on request whether they are key and value in turn. */
function previewEntries(value, withKind) {
  const found = native.iterator(value);
  if (found === undefined) return withKind ? [[], false] : [];
  const paired = found.kind === "entries";
  const items = paired ? flattened(found.items) : found.items;
  return withKind ? [items, paired] : items;
}

export function complete(binding) {
  const { kPending, kRejected, ONLY_ENUMERABLE } = binding.constants;
  binding.getPromiseDetails = (value) => {
    const found = native.promise(value);
    if (found === undefined || found[0] === PENDING) return [kPending, undefined];
    return [found[0] === REJECTED ? kRejected : "fulfilled", found[1]];
  };
  binding.getProxyDetails = (value, both = true) => {
    const found = native.proxy(value);
    if (found === undefined) return undefined;
    return both ? found : found[0];
  };
  binding.previewEntries = previewEntries;
  binding.getOwnNonIndexProperties = (value, filter = ONLY_ENUMERABLE) =>
    native.ownNames(value, filter === ONLY_ENUMERABLE);
  binding.getConstructorName = (value) => native.className(value);
}
