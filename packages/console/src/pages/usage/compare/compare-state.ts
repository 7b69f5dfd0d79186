/** Period in days. */
const compareRanges = ['1', '7', '30'] as const;
export type CompareRange = (typeof compareRanges)[number];

/** One of the compared sides. */
export interface Side {
  /** Empty: every model. */
  readonly model: string;
  /** 0: every channel. */
  readonly channel: number;
}

export interface CompareState {
  readonly range: CompareRange;
  readonly first: Side;
  readonly second: Side;
}

type Search = Readonly<Record<string, unknown>>;

const textIn = (search: Search, name: string): string => (search[name] === undefined ? '' : String(search[name]));

function sideIn(search: Search, prefix: string): Side {
  const channel = Number(search[`${prefix}channel`]);
  return {
    model: textIn(search, `${prefix}model`),
    channel: Number.isSafeInteger(channel) && channel > 0 ? channel : 0,
  };
}

/** Reads the address; unknown values are ignored. */
export const readSides = (search: Search): CompareState => ({
  range: compareRanges.find((range) => range === textIn(search, 'range')) ?? '7',
  first: sideIn(search, ''),
  second: sideIn(search, 'other_'),
});

export const searchOfSides = ({ range, first, second }: CompareState) => ({
  range: range === '7' ? undefined : range,
  model: first.model || undefined,
  channel: first.channel || undefined,
  other_model: second.model || undefined,
  other_channel: second.channel || undefined,
});
