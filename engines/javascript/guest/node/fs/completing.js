/** Callbacks and promises for calls that are done at once: the answer comes in a later round of the loop. */
import { addCompletion } from "../loop.js";
import { isUsageError } from "./arguments.js";

function outcome(operation) {
  try {
    return { value: operation() };
  } catch (error) {
    return { error };
  }
}

/** Does it and calls back later. Wrong arguments are told at once, as Node does. */
export function complete(operation, callback, valuesOf = (value) => (value === undefined ? [] : [value])) {
  const { error, value } = outcome(operation);
  if (error !== undefined && isUsageError(error) && !error.syscall) throw error;
  addCompletion(() => {
    if (error !== undefined) callback(error);
    else callback(null, ...valuesOf(value));
  });
}

export function promised(operation) {
  return new Promise((resolve, reject) => {
    const { error, value } = outcome(operation);
    addCompletion(() => {
      if (error !== undefined) reject(error);
      else resolve(value);
    });
  });
}
