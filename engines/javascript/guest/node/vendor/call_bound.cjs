// What a package gets that asks for a saved method as a function of its receiver.
module.exports = (name) => {
  const method = name.split(".").reduce((value, key) => value[key], globalThis);
  return (receiver, ...given) => Reflect.apply(method, receiver, given);
};
