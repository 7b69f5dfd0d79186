import { TextTally } from '../tokens/text-tally.ts';
import { TokenSum } from '../tokens/token-sum.ts';

/** A tally whose sums note what they are given, and count characters. */
export function notingTally(batch: number) {
  const given: string[] = [];
  const openSum = () =>
    new TokenSum(
      (texts, { settle }) => {
        given.push(...texts.filter((text) => text !== ''));
        queueMicrotask(() => settle(texts.join('').length));
        return given.length;
      },
      () => undefined,
      1000,
    );
  return { given, tally: new TextTally(openSum, batch) };
}
