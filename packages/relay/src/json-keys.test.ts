import { expect, test } from 'vitest';
import { repeatedKey } from './json-keys.ts';

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
])('the repeated key of %s is %s', (text, key) => {
  JSON.parse(text);
  expect(repeatedKey(text)).toBe(key);
});

/** Numbers that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test('of random objects a key is found exactly when it is there twice', () => {
  const seed = 20_261_115;
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
  const names = ['a', 'b', 'model', 'x"y', 'back\\slash', '{', ']', ',', 'ü', '', 'model\n'];
  const value = (depth: number): string => {
    const kind = depth > 3 ? 0 : Math.floor(random() * 4);
    if (kind === 1) return `[${Array.from({ length: 3 }, () => value(depth + 1)).join(' , ')}]`;
    if (kind === 2)
      return `{ ${names
        .slice(0, 4)
        .map((name) => `${JSON.stringify(name)}: ${value(depth + 1)}`)
        .join()} }`;
    return kind === 3 ? JSON.stringify(pick(names)) : pick(['1', '-0.5e9', 'true', 'null', '"\\u0022"']);
  };
  for (let round = 0; round < 2000; round += 1) {
    const keys = Array.from({ length: Math.floor(random() * 5) }, () => pick(names));
    const text = `{${keys.map((key) => `${JSON.stringify(key)} :${value(0)}`).join('\n,')}}`;
    expect(repeatedKey(text) !== undefined, `seed ${seed}, round ${round}: ${text}`).toBe(
      new Set(keys).size < keys.length,
    );
    expect(Object.keys(JSON.parse(text))).toHaveLength(new Set(keys).size);
  }
});
