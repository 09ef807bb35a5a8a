/**
 * `util.types`: what a value is, whatever its prototype claims. Asks the engine for the internal class, so
 * it holds for objects of any realm and lies of `Symbol.toStringTag` do not reach it.
 */
import { native } from "./native.js";

const className = native.className;
const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

/** A test for one internal class or several, named as Node names it. */
function isOneOf(name, classes) {
  const known = { __proto__: null };
  for (let i = 0; i < classes.length; i++) known[classes[i]] = true;
  return { [name]: (value) => isObject(value) && known[className(value)] === true }[name];
}

const TYPED_ARRAYS = [
  "Uint8Array",
  "Uint8ClampedArray",
  "Uint16Array",
  "Uint32Array",
  "Int8Array",
  "Int16Array",
  "Int32Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
];
const BOXED = ["Number", "String", "Boolean", "BigInt", "Symbol"];

export const isTypedArray = isOneOf("isTypedArray", TYPED_ARRAYS);
export const isUint8Array = isOneOf("isUint8Array", ["Uint8Array"]);
export const isUint8ClampedArray = isOneOf("isUint8ClampedArray", ["Uint8ClampedArray"]);
export const isUint16Array = isOneOf("isUint16Array", ["Uint16Array"]);
export const isUint32Array = isOneOf("isUint32Array", ["Uint32Array"]);
export const isInt8Array = isOneOf("isInt8Array", ["Int8Array"]);
export const isInt16Array = isOneOf("isInt16Array", ["Int16Array"]);
export const isInt32Array = isOneOf("isInt32Array", ["Int32Array"]);
export const isFloat32Array = isOneOf("isFloat32Array", ["Float32Array"]);
export const isFloat64Array = isOneOf("isFloat64Array", ["Float64Array"]);
export const isBigInt64Array = isOneOf("isBigInt64Array", ["BigInt64Array"]);
export const isBigUint64Array = isOneOf("isBigUint64Array", ["BigUint64Array"]);
export const isDataView = isOneOf("isDataView", ["DataView"]);
export const isArrayBuffer = isOneOf("isArrayBuffer", ["ArrayBuffer"]);
export const isSharedArrayBuffer = isOneOf("isSharedArrayBuffer", ["SharedArrayBuffer"]);
export const isAnyArrayBuffer = isOneOf("isAnyArrayBuffer", ["ArrayBuffer", "SharedArrayBuffer"]);
export const isArrayBufferView = ArrayBuffer.isView;
export const isDate = isOneOf("isDate", ["Date"]);
export const isRegExp = isOneOf("isRegExp", ["RegExp"]);
export const isMap = isOneOf("isMap", ["Map"]);
export const isSet = isOneOf("isSet", ["Set"]);
export const isWeakMap = isOneOf("isWeakMap", ["WeakMap"]);
export const isWeakSet = isOneOf("isWeakSet", ["WeakSet"]);
export const isMapIterator = isOneOf("isMapIterator", ["Map Iterator"]);
export const isSetIterator = isOneOf("isSetIterator", ["Set Iterator"]);
export const isPromise = isOneOf("isPromise", ["Promise"]);
export const isNativeError = isOneOf("isNativeError", ["Error"]);
export const isNumberObject = isOneOf("isNumberObject", ["Number"]);
export const isStringObject = isOneOf("isStringObject", ["String"]);
export const isBooleanObject = isOneOf("isBooleanObject", ["Boolean"]);
export const isBigIntObject = isOneOf("isBigIntObject", ["BigInt"]);
export const isSymbolObject = isOneOf("isSymbolObject", ["Symbol"]);
export const isBoxedPrimitive = isOneOf("isBoxedPrimitive", BOXED);
export const isArgumentsObject = isOneOf("isArgumentsObject", ["Arguments"]);
export const isAsyncFunction = isOneOf("isAsyncFunction", ["AsyncFunction", "AsyncGeneratorFunction"]);
export const isGeneratorFunction = isOneOf("isGeneratorFunction", [
  "GeneratorFunction",
  "AsyncGeneratorFunction",
]);
export const isGeneratorObject = isOneOf("isGeneratorObject", ["Generator", "AsyncGenerator"]);
export const isModuleNamespaceObject = isOneOf("isModuleNamespaceObject", ["Module"]);
export const isProxy = (value) => isObject(value) && native.proxy(value) !== undefined;
export const isExternal = () => false;
export const isCryptoKey = () => false;
export const isKeyObject = () => false;
