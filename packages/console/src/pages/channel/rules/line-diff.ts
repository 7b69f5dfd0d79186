export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Texts above this length are shown as completely replaced, to limit the work. */
const maxCells = 1_000_000;

const lines = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind, text }));

/** Ignores trailing commas, because adding a JSON member adds one to the previous line. */
const isSame = (one = '', other = ''): boolean => one.replace(/,$/, '') === other.replace(/,$/, '');

/** Line diff of two JSON texts, based on their longest common subsequence. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length * now.length > maxCells) return [...lines('removed', old), ...lines('added', now)];
  const common = commonLengths(old, now);
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    const kind = isSame(old[i], now[j]) ? 'same' : nextChange(common, i, j);
    found.push({ kind, text: (kind === 'removed' ? old[i] : now[j]) ?? '' });
    if (kind !== 'added') i += 1;
    if (kind !== 'removed') j += 1;
  }
  return [...found, ...lines('removed', old.slice(i)), ...lines('added', now.slice(j))];
}

/** On a tie, removed lines come before added ones. */
const nextChange = (common: readonly Uint32Array[], i: number, j: number): 'removed' | 'added' =>
  (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0) ? 'removed' : 'added';

/** Length of the longest common subsequence of `old` from line `i` and `now` from line `j`. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row = new Uint32Array(), below = new Uint32Array()] = [lengths[i], lengths[i + 1]];
    for (let j = now.length - 1; j >= 0; j -= 1)
      row[j] = isSame(old[i], now[j]) ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return lengths;
}
