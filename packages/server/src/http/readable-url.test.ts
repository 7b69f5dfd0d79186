import { expect, test } from 'vitest';
import { readableUrl } from './readable-url.ts';

test.each([
  ['/', '/'],
  ['/api/user/%7e?x=%zz', '/api/user/%7e?x=%zz'],
  ['/%', '/%25'],
  ['/%zz/%61?%zz', '/%25zz/%2561?%zz'],
  ['/%c0%ae%c0%ae/', '/%25c0%25ae%25c0%25ae/'],
])('reads %s as %s', (url, readable) => {
  expect(readableUrl({ url })).toBe(readable);
});
