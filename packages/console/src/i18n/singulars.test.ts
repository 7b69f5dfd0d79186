import { fillTemplate, limitMeasures, logEvents } from '@headgate/contract';
import { expect, test } from 'vitest';
import { zh } from './zh.ts';
import { zhDeferred } from './zh-deferred.ts';

const sentences = [
  ...Object.keys({ ...zh, ...zhDeferred }),
  ...Object.values(logEvents),
  ...Object.values(limitMeasures).map(({ unit }) => unit),
];

/** Countable nouns in console texts. Any other word that changes with a count of 1 is a verb, or a noun to add here. */
const things = new Set(
  `attempt byte change channel character code day entry hour incident key limit line log minute model other passkey point price receiver request result
  row rule second test time token try user view`.split(/\s+/),
);

/** Words in the sentence that change when all counts are 1. */
function changedBy(sentence: string): readonly string[] {
  const one = fillTemplate(
    sentence,
    Object.fromEntries([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 1])),
  );
  const plain = sentence.replace(/\{\w+\}/g, '1').split(/\W+/);
  return one.split(/\W+/).filter((word, index) => word !== plain[index]);
}

test('uses the singular for a count of 1, and leaves other words unchanged', () => {
  const changed = new Set(sentences.flatMap(changedBy));
  expect([...changed].filter((word) => !things.has(word))).toEqual([]);
  expect(changedBy('{count} keys added')).toEqual(['key']);
  expect(changed.size).toBeGreaterThan(10);
});

test('contains no sentence whose verb fits only the plural', () => {
  const verbs = /\{\w+\} (?:\w+ed )?\w{3,}s (?:are|were|have|stay|do|need)\b/;
  // Exceptions: shown only for several keys; the verb agrees with another noun; one byte cannot be truncated.
  const several = ['{count} keys are stored', 'The payloads of {count} requests are'];
  const odd = sentences.filter((sentence) => verbs.test(sentence));
  expect(odd.filter((sentence) => !several.some((message) => sentence.startsWith(message)))).toEqual([]);
});
