import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportMessages, logEventMessages, optionErrors, optionLabels } from '@headgate/contract';
import { expect, test } from 'vitest';

type Texts = Readonly<Record<string, string>>;

const packages = join(import.meta.dirname, '../../..');

const tableFiles = globSync('zh/*/*.ts', { cwd: import.meta.dirname });
const areas: readonly Texts[] = await Promise.all(
  tableFiles.map(async (file) =>
    Object.assign({}, ...Object.values<Texts>(await import(join(import.meta.dirname, file)))),
  ),
);
const tables = [exportMessages, logEventMessages, optionLabels, optionErrors, ...areas];
const entries = tables.flatMap((table) => Object.entries<string>(table));

/** All source code that may contain user-visible text, except the translations. */
const source = globSync(['console/src/**/*.{ts,tsx}', 'contract/src/**/*.ts'], {
  cwd: packages,
  exclude: ['**/*.test.*', 'console/src/i18n/zh*/**', '**/{export,log-event,option}-messages.ts'],
})
  .map((file) => readFileSync(join(packages, file), 'utf8'))
  .join('\n');

const literals = new Set(
  source
    .split('\n')
    .flatMap((line) => [...line.matchAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`/g)])
    .map(([, single, double, template]) => single?.replaceAll("\\'", "'") ?? double ?? template),
);

// Searches the whole source, to find texts in template literals that the pattern above misses.
const isUsed = (text: string): boolean => literals.has(text) || source.includes(`'${text}'`);

test('translates each text only once', () => {
  const texts = entries.map(([text]) => text);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test('contains no unused texts', () => {
  expect(areas.flatMap((area) => Object.keys(area)).filter((text) => !isUsed(text))).toEqual([]);
  expect(isUsed('A text that no page shows')).toBe(false);
});

test('uses the polite form of address, and consistent names for providers and wildcards', () => {
  const wrong = /你|供应商|通配(?!符)|休息|试验场|封存/;
  expect(entries.filter(([, chinese]) => wrong.test(chinese))).toEqual([]);
});
