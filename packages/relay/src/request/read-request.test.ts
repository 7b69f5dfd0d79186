import { expect, test } from 'vitest';
import { findDuplicateKey } from './read-request.ts';

test.each([
  ['{}', undefined],
  ['{"a":1,"b":"a","c":{"a":1,"b":[{"a":2}]},"d":["a","b"]}', undefined],
  ['{"a":1,"b":2,"a":3}', 'a'],
  ['{"a":{"x":[1,2,{"y":"}"}]},\n\t "b" : "\\"", "b":"\\\\"}', 'b'],
  ['{"a":"\\\\\\"a\\":1,\\"a","c":[],"d":{}}', undefined],
  ['{"model":"a","\\u006dodel":"b"}', 'model'],
  ['{"a\\"":1,"a\\\\":2,"a\\"":3}', 'a"'],
  ['{"":1,"b":-1.5e+3,"c":true,"":null}', ''],
  ['{"键":1,"b":"键","键":2}', '键'],
  ['{"a":{"b":1,"c":{"b":2}},"d":[{"b":3},{"b":4,"e":5,"\\u0062":6}]}', 'b'],
  ['{"a":{"__proto__":1,"constructor":2},"b":{"__proto__":1,"__proto__":2}}', '__proto__'],
  ['{"a":[":",{"b":":"},":"],"c":"\\":"}', undefined],
])('a duplicate key in %s is %s', (text, key) => {
  expect(findDuplicateKey(text, JSON.parse(text))).toBe(key);
});

/** Pseudo-random numbers that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test('finds a duplicate key in random objects only if there is one', () => {
  const seed = 20_261_115;
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
  const names = ['a', 'b', 'model', 'x"y', 'back\\slash', '{', ']', ',', 'ü', '', 'model\n'];
  let isRepeated = false;
  const object = (keys: readonly string[], depth: number): string => {
    if (new Set(keys).size < keys.length) isRepeated = true;
    return `{${keys.map((key) => `${JSON.stringify(key)} :${value(depth)}`).join('\n,')}}`;
  };
  const value = (depth: number): string => {
    const kind = depth > 3 ? 0 : Math.floor(random() * 4);
    if (kind === 1) return `[${Array.from({ length: 3 }, () => value(depth + 1)).join(' , ')}]`;
    const second = random() < 0.02 ? 'a' : 'b';
    if (kind === 2) return object(['a', second, ...names.slice(2, 4)], depth + 1);
    return kind === 3 ? JSON.stringify(pick(names)) : pick(['1', '-0.5e9', 'true', 'null', '"\\u0022"']);
  };
  for (let round = 0; round < 2000; round += 1) {
    const keys = Array.from({ length: Math.floor(random() * 5) }, () => pick(names));
    isRepeated = false;
    const text = object(keys, 0);
    const parsed: unknown = JSON.parse(text);
    expect(findDuplicateKey(text, parsed) !== undefined, `seed ${seed}, round ${round}: ${text}`).toBe(isRepeated);
  }
});
