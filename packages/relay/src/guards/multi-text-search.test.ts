import { expect, test } from 'vitest';
import { MultiTextSearch } from './multi-text-search.ts';

const texts = ['abcdefghijkl', 'mnopqrstuvwxyz0123456789', 'ключ-от-всего'];
const search = new MultiTextSearch(texts.map((text) => Buffer.from(text)));

test.each(texts)('finds a text at any position in any surroundings: %s', (text) => {
  for (let before = 0; before < 40; before += 1) {
    for (const filling of ['x', 'a', 'm', 'abcd', text.slice(0, -1)]) {
      const bytes = Buffer.from(filling.repeat(before) + text + filling.repeat(before % 4));
      expect(search.isIn(bytes)).toBe(true);
    }
  }
});

test('finds nothing in a text that differs by one byte, in empty input, or without search terms', () => {
  for (const text of texts) {
    for (const odd of [text.slice(1), text.slice(0, -1), text.replace(/.$/u, '_'), text.replace(/^./u, '_')])
      expect(search.isIn(Buffer.from(`${odd} ${odd}`))).toBe(false);
  }
  expect(search.isIn(Buffer.alloc(0))).toBe(false);
  expect(new MultiTextSearch([]).isIn(Buffer.from('abcdefghijkl'))).toBe(false);
});
