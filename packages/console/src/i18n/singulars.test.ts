import { fillSentence, limitMeasures, logEvents } from '@headgate/contract';
import { expect, test } from 'vitest';
import { zh } from './zh.ts';
import { zhLater } from './zh-later.ts';

const sentences = [
  ...Object.keys({ ...zh, ...zhLater }),
  ...Object.values(logEvents),
  ...Object.values(limitMeasures).map(({ unit }) => unit),
];

/** What the console counts. A word that is not here and loses its end beside a 1 is a verb, or a thing to add. */
const things = new Set(
  `attempt byte change channel character code day entry hour key limit line log minute model other passkey point price receiver request result
  row rule second test time token try user view`.split(/\s+/),
);

/** A sentence about one of each thing, and the words that became others by it. */
function changedBy(sentence: string): readonly string[] {
  const one = fillSentence(
    sentence,
    Object.fromEntries([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 1])),
  );
  const plain = sentence.replace(/\{\w+\}/g, '1').split(/\W+/);
  return one.split(/\W+/).filter((word, index) => word !== plain[index]);
}

test('beside a 1 things are told in the singular, and nothing else changes', () => {
  const changed = new Set(sentences.flatMap(changedBy));
  expect([...changed].filter((word) => !things.has(word))).toEqual([]);
  expect(changedBy('{count} keys added')).toEqual(['key']);
  expect(changed.size).toBeGreaterThan(10);
});

test('no sentence goes on with a verb that fits several things alone', () => {
  const verbs = /\{\w+\} (?:\w+ed )?\w{3,}s (?:are|were|have|stay|do|need)\b/;
  // Where there are several keys only; about the place of requests; of one byte nothing can be cut off.
  const several = ['{count} keys are stored', 'The payloads of {count} requests are'];
  const odd = sentences.filter((sentence) => verbs.test(sentence));
  expect(odd.filter((sentence) => !several.some((words) => sentence.startsWith(words)))).toEqual([]);
});
