/** Names of functions as users see them in `inspect` and stacks; the bundler and old packages lose some. */

function rename(value, key) {
  const { name } = value;
  const lost = name === "" || name === "value" || (name !== key && new RegExp(`^_?${key}\\d*$`).test(name));
  if (lost) Object.defineProperty(value, "name", { value: key, configurable: true });
}

/** Gives every function of an object, and of the prototypes of its classes, the name of its property. */
export function nameFunctions(object, depth = 2) {
  for (const key of Object.getOwnPropertyNames(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (typeof descriptor.value !== "function" || !/^\w+$/.test(key) || key === "constructor") continue;
    rename(descriptor.value, key);
    if (depth > 0) nameFunctions(descriptor.value, depth - 1);
    if (descriptor.value.prototype && depth > 0) nameFunctions(descriptor.value.prototype, 0);
  }
}
