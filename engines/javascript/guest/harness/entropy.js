/**
 * Turns the host's 256 bits of entropy into the 64 that Math.random is seeded with, using all of them.
 */
const WORD_DIGITS = 16;
// The multiplier and the increment of splitmix64, whose output function mixes well.
const GAMMA = 0x9e3779b97f4a7c15n;
const FIRST = 0xbf58476d1ce4e5b9n;
const SECOND = 0x94d049bb133111ebn;

const word = (value) => BigInt.asUintN(64, value);

function mix(value) {
  let z = word(value + GAMMA);
  z = word((z ^ (z >> 30n)) * FIRST);
  z = word((z ^ (z >> 27n)) * SECOND);
  return z ^ (z >> 31n);
}

export function seedFrom(digits) {
  let seed = 0n;
  for (let i = 0; i < digits.length; i += WORD_DIGITS) {
    seed = mix(seed ^ BigInt(`0x${digits.slice(i, i + WORD_DIGITS)}`));
  }
  return seed;
}
