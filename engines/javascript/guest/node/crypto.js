/** The `crypto` module: randomness, hashes, and what is made of them. No ciphers, no keys. */
import { blake2b, blake2s } from "@noble/hashes/blake2.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { md5, ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { sha224, sha256, sha384, sha512, sha512_256 } from "@noble/hashes/sha2.js";
import { sha3_224, sha3_256, sha3_384, sha3_512 } from "@noble/hashes/sha3.js";
import { Buffer } from "./buffer.js";
import { checkFunction, checkString, codedError, invalidArgType, notAvailable } from "./errors.js";
import { addCompletion } from "./loop.js";
import * as random from "./random.js";
import { Transform } from "./stream.js";

const HASHES = {
  __proto__: null,
  md5,
  ripemd160,
  rmd160: ripemd160,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  "sha512-256": sha512_256,
  "sha3-224": sha3_224,
  "sha3-256": sha3_256,
  "sha3-384": sha3_384,
  "sha3-512": sha3_512,
  blake2b512: blake2b,
  blake2s256: blake2s,
};

function hashOf(name) {
  checkString(name, "algorithm");
  const known = name.toLowerCase();
  return HASHES[known] ?? HASHES[known.replace(/^(rsa-)?sha-/, "sha").replace(/^rsa-/, "")];
}

function bytesOf(data, encoding, name = "data") {
  if (typeof data === "string") return Buffer.from(data, encoding === "buffer" ? "utf8" : encoding);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw invalidArgType(name, ["string", "Buffer", "TypedArray", "DataView"], data);
}

function output(bytes, encoding) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding === undefined || encoding === "buffer" ? buffer : buffer.toString(encoding);
}

/** What Hash and Hmac are: a stream that can also be fed and asked directly. */
class Digest extends Transform {
  #state;
  #done = false;
  constructor(state) {
    super();
    this.#state = state;
  }
  update(data, encoding = undefined) {
    if (this.#done) throw codedError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    this.#state.update(bytesOf(data, encoding));
    return this;
  }
  digest(encoding = undefined) {
    if (this.#done) throw codedError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    this.#done = true;
    return output(this.#state.digest(), encoding);
  }
  stateCopy() {
    if (this.#done) throw codedError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    return this.#state.clone();
  }
  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }
  _flush(done) {
    this.push(this.digest());
    done();
  }
}

export class Hash extends Digest {
  constructor(algorithm, options = undefined) {
    if (typeof algorithm !== "string") return super(algorithm);
    const make = hashOf(algorithm);
    if (make === undefined) throw new Error("Digest method not supported");
    super(make.create(options));
  }
  copy() {
    return new Hash(this.stateCopy());
  }
}

export class Hmac extends Digest {
  constructor(algorithm, key) {
    const make = hashOf(algorithm);
    if (make === undefined)
      throw codedError(Error, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${algorithm}`);
    super(hmac.create(make, bytesOf(key, "utf8", "key")));
  }
}

export const createHash = (algorithm, options = undefined) => {
  checkString(algorithm, "algorithm");
  return new Hash(algorithm, options);
};
export const createHmac = (algorithm, key) => new Hmac(algorithm, key);
export const hash = (algorithm, data, encoding = "hex") =>
  createHash(algorithm).update(data).digest(encoding);

export function timingSafeEqual(a, b) {
  const [first, second] = [bytesOf(a, undefined, "buf1"), bytesOf(b, undefined, "buf2")];
  if (first.length !== second.length) {
    const message = "Input buffers must have the same byte length";
    throw codedError(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", message);
  }
  let difference = 0;
  for (let i = 0; i < first.length; i++) difference |= first[i] ^ second[i];
  return difference === 0;
}

function digestFor(name) {
  const make = hashOf(name);
  if (make === undefined) throw codedError(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${name}`);
  return make;
}

export const pbkdf2Sync = (password, salt, iterations, length, digest) =>
  output(pbkdf2(digestFor(digest), bytesOf(password), bytesOf(salt), { c: iterations, dkLen: length }));
export const scryptSync = (password, salt, length, { N, cost, r, blockSize, p, parallelization } = {}) =>
  output(
    scrypt(bytesOf(password), bytesOf(salt), {
      N: N ?? cost ?? 16384,
      r: r ?? blockSize ?? 8,
      p: p ?? parallelization ?? 1,
      dkLen: length,
    }),
  );
export const hkdfSync = (digest, key, salt, info, length) =>
  hkdf(digestFor(digest), bytesOf(key), bytesOf(salt), bytesOf(info), length).slice().buffer;

/** The form with a callback of one that works at once. */
const later =
  (sync) =>
  (...given) => {
    const callback = given.pop();
    checkFunction(callback, "callback");
    const value = sync(...given);
    addCompletion(() => callback(null, value));
  };

const SUBTLE_HASHES = {
  __proto__: null,
  "SHA-1": sha1,
  "SHA-256": sha256,
  "SHA-384": sha384,
  "SHA-512": sha512,
};
const NO_KEYS = "only digest() is there; ciphers and keys are not";
const missing = (what) => notAvailable(what, NO_KEYS);

export class SubtleCrypto {
  async digest(algorithm, data) {
    const name = `${typeof algorithm === "string" ? algorithm : algorithm.name}`.toUpperCase();
    const make = SUBTLE_HASHES[name];
    if (make === undefined) throw new DOMException("Unrecognized algorithm name", "NotSupportedError");
    const bytes = bytesOf(data);
    return make(bytes).slice().buffer;
  }
}
for (const name of [
  "encrypt",
  "decrypt",
  "sign",
  "verify",
  "generateKey",
  "deriveKey",
  "deriveBits",
  "importKey",
  "exportKey",
  "wrapKey",
  "unwrapKey",
]) {
  SubtleCrypto.prototype[name] = {
    [name]: async () => {
      throw missing(`crypto.subtle.${name}`);
    },
  }[name];
}
const subtle = new SubtleCrypto();

export class Crypto {
  get subtle() {
    return subtle;
  }
  getRandomValues(array) {
    return random.getRandomValues(array);
  }
  randomUUID() {
    return random.randomUUID();
  }
}
export const webcrypto = new Crypto();

export const module = {
  ...random,
  Hash,
  Hmac,
  createHash,
  createHmac,
  hash,
  timingSafeEqual,
  pbkdf2Sync,
  pbkdf2: later(pbkdf2Sync),
  scryptSync,
  scrypt: later(scryptSync),
  hkdfSync,
  hkdf: later(hkdfSync),
  webcrypto,
  subtle,
  getHashes: () => Object.keys(HASHES),
  getCiphers: () => [],
  getCurves: () => [],
  constants: {},
};
for (const name of [
  "createCipheriv",
  "createDecipheriv",
  "createSign",
  "createVerify",
  "createDiffieHellman",
  "createECDH",
  "generateKeyPair",
  "generateKeyPairSync",
  "generateKey",
  "generateKeySync",
  "createSecretKey",
  "createPublicKey",
  "createPrivateKey",
  "publicEncrypt",
  "privateDecrypt",
  "sign",
  "verify",
]) {
  module[name] = {
    [name]: () => {
      throw notAvailable(`crypto.${name}`, "there are hashes, but no ciphers and no keys");
    },
  }[name];
}
