import { describe, expect, it } from 'vitest';
import { JsonBoundsCounter, requestBounds } from './json-bounds.ts';
import { parseJson, parseJsonObject } from './json-fields.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('[A64.1] JSON with too many parts', () => {
  it.each([
    ['nesting', deep(20_000)],
    ['nested objects', `${'{"a":'.repeat(5000)}0${'}'.repeat(5000)}`],
    ['arrays', `[${'[],'.repeat(50_000)}0]`],
    ['objects', `[${'{},'.repeat(50_000)}0]`],
    ['names', `{${Array.from({ length: 30_001 }, (_, index) => `"k${index}":0`).join()}}`],
    ['long names', `{"${'x'.repeat(17_000)}":0}`],
    ['strings', `[${'"",'.repeat(60_000)}""]`],
    ['numbers', `[${'0,'.repeat(400_001)}0]`],
    ['whitespace', `[${' '.repeat(4_000_001)}]`],
    ['escaped quotes', `["${'\\"'.repeat(4_000_001)}"]`],
    ['backslashes', `["${'\\\\'.repeat(4_000_001)}"]`],
  ])('[A64.1] does not parse JSON with too many or too long %s', (_, text) => {
    expect(parseJson(text, requestBounds)).toBeUndefined();
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it('applies looser limits to upstream responses', () => {
    expect(parseJson(deep(20_000))).toBeUndefined();
    expect(parseJson(`[${'[],'.repeat(1_000_000)}0]`)).toBeUndefined();
    expect(parseJson(`[${'0.25,'.repeat(2_000_000)}0]`)).toHaveLength(2_000_001);
  });
});

it.each([
  ['quotes', 'x"'],
  ['backslashes', 'x\\'],
  ['backslashes before quotes', '\\\\"\\"'],
  ['multi-byte characters', '水é'],
])('ignores brackets inside strings with %s', (_, text) => {
  const value = { a: `${text}${'[{,:'.repeat(2000)}`, b: [`${text}${'}]'.repeat(2000)}${text}`], c: {} };
  expect(parseJsonObject(JSON.stringify(value), { ...requestBounds, containers: 3, items: 2 })).toEqual(value);
});

it('accepts long strings', () => {
  const value = ['x'.repeat(5_000_000)];
  expect(parseJson(JSON.stringify(value), requestBounds)).toEqual(value);
});

it('counts the parts of several texts together', () => {
  const tally = new JsonBoundsCounter({ ...requestBounds, containers: 3 });
  expect([tally.add('{"a":[]}'), tally.add('{}'), tally.add('{}')]).toEqual([true, true, false]);
});

it.each(['', '{', '"', '"\\', '{"a":1}}', ']]]]'.repeat(5000), '"'.repeat(5001)])(
  'rejects invalid JSON: %.20s',
  (text) => {
    expect(parseJson(text, requestBounds)).toBeUndefined();
  },
);
