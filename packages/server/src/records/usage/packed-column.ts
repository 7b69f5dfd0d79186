export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const types = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;
type Width = keyof typeof types;

function widthFor(numbers: Iterable<number>): Width {
  let [least, most] = [0, 0];
  for (const each of numbers) {
    if (each > most) most = each;
    else if (each < least) least = each;
  }
  if (least < 0) return 8;
  return most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : most < 2 ** 32 ? 4 : 8;
}

/**
 * Whole numbers in as few bytes each as the largest of them needs, lowest byte first; the last byte of all says how many
 * that are. Read back they are added up without being looked at one by one.
 */
export function packColumn(numbers: readonly number[] | Float64Array): Uint8Array {
  const width = widthFor(numbers);
  const packed = new Uint8Array(numbers.length * width + 1);
  new types[width](packed.buffer, 0, numbers.length).set(numbers);
  packed[packed.length - 1] = width;
  return packed;
}

export function unpackColumn(packed: Uint8Array): Numbers {
  const width = packed.at(-1);
  const isWhole = (packed.length - 1) % (width ?? 0) === 0;
  if (!isWhole || (width !== 1 && width !== 2 && width !== 4 && width !== 8)) {
    throw new Error('This is no packed column.');
  }
  const { buffer, byteOffset } = packed.byteOffset % width === 0 ? packed : new Uint8Array(packed);
  return new types[width](buffer as ArrayBuffer, byteOffset, (packed.length - 1) / width);
}
