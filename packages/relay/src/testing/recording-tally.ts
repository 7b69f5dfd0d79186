import { TextTally } from '../tokens/text-tally.ts';
import { TokenSum } from '../tokens/token-sum.ts';

/** A tally that records its input and counts characters. */
export function recordingTally(batch: number) {
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
