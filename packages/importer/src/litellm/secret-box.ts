import { timingSafeEqual } from 'node:crypto';

/**
 * Opens NaCl's secret box (XSalsa20-Poly1305), which neither Node nor a dependency provides. Only for reading values
 * that LiteLLM has stored; nothing is encrypted with it.
 */
export function openSecretBox(box: Uint8Array, key: Uint8Array): Buffer | undefined {
  if (box.length < nonceLength + tagLength) return undefined;
  const nonce = box.subarray(0, nonceLength);
  const tag = box.subarray(nonceLength, nonceLength + tagLength);
  const sealed = box.subarray(nonceLength + tagLength);
  const subkey = hsalsa20(wordsOf(key), wordsOf(nonce.subarray(0, 16)));
  const stream = keyStream(subkey, wordsOf(nonce.subarray(16)), tagKeyLength + sealed.length);
  if (!timingSafeEqual(poly1305(sealed, stream.subarray(0, tagKeyLength)), tag)) return undefined;
  return Buffer.from(sealed.map((byte, at) => byte ^ (stream[tagKeyLength + at] ?? 0)));
}

const nonceLength = 24;
const tagLength = 16;
/** The first bytes of the key stream authenticate the rest. */
const tagKeyLength = 32;
const blockLength = 64;

/** Little-endian words. */
function wordsOf(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(index * 4, true));
}

/** "expand 32-byte k" as words. */
const constants = [0x61_70_78_65, 0x33_20_64_6e, 0x79_62_2d_32, 0x6b_20_65_74] as const;

/** Initial state: constants on the diagonal, the key's halves, and 16 bytes of input between them. */
function stateOf(key: readonly number[], input: readonly number[]): number[] {
  const [c0, c1, c2, c3] = constants;
  return [c0, ...key.slice(0, 4), c1, ...input, c2, ...key.slice(4), c3];
}

/** Positions of a double round: four columns, then four rows. */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const;

function twentyRounds(state: readonly number[]): Uint32Array {
  const x = Uint32Array.from(state);
  const mix = (to: number, one: number, other: number, bits: number) => {
    const sum = ((x[one] ?? 0) + (x[other] ?? 0)) >>> 0;
    x[to] = (x[to] ?? 0) ^ ((sum << bits) | (sum >>> (32 - bits)));
  };
  for (let round = 0; round < 20; round += 2) {
    for (const [a, b, c, d] of quarters) {
      mix(b, a, d, 7);
      mix(c, b, a, 9);
      mix(d, c, b, 13);
      mix(a, d, c, 18);
    }
  }
  return x;
}

function hsalsa20(key: readonly number[], input: readonly number[]): readonly number[] {
  const x = twentyRounds(stateOf(key, input));
  return [0, 5, 10, 15, 6, 7, 8, 9].map((at) => x[at] ?? 0);
}

function keyStream(key: readonly number[], nonce: readonly number[], length: number): Uint8Array {
  const blocks = Math.ceil(length / blockLength);
  const stream = new DataView(new ArrayBuffer(blocks * blockLength));
  for (let block = 0; block < blocks; block += 1) {
    const state = stateOf(key, [...nonce, block, 0]);
    const x = twentyRounds(state);
    for (const [at, word] of state.entries()) {
      stream.setUint32(block * blockLength + at * 4, ((x[at] ?? 0) + word) >>> 0, true);
    }
  }
  return new Uint8Array(stream.buffer, 0, length);
}

const prime = (1n << 130n) - 5n;
const clampMask = 0x0f_ff_ff_fc_0f_ff_ff_fc_0f_ff_ff_fc_0f_ff_ff_ffn;

function poly1305(message: Uint8Array, key: Uint8Array): Buffer {
  const factor = littleEndian(key.subarray(0, 16)) & clampMask;
  let sum = 0n;
  for (let at = 0; at < message.length; at += 16) {
    const chunk = message.subarray(at, at + 16);
    sum = ((sum + littleEndian(chunk) + (1n << BigInt(chunk.length * 8))) * factor) % prime;
  }
  const tag = BigInt.asUintN(128, sum + littleEndian(key.subarray(16)));
  return Buffer.from(tag.toString(16).padStart(32, '0'), 'hex').reverse();
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`);
