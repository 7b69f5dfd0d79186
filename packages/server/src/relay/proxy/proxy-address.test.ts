import { expect, test } from 'vitest';
import { proxyUrl } from './proxy-address.ts';

const base = 'https://provider.example/api/v2';
const below =
  (path: string, baseUrl = base) =>
  () =>
    proxyUrl(baseUrl, { path, query: '' }, 'a=1');

// Second line of defense: the parser already rejects such paths.
test.each([
  ['/../admin', base],
  ['/%2e%2e/admin', base],
  ['/x/../../v1/admin', base],
  ['/..\\admin', base],
  ['\\..\\admin', base],
  ['@other.example/x', 'https://provider.example'],
  [':1234/x', 'https://provider.example'],
  ['.other.example/x', 'https://provider.example'],
  ['x', 'https://provider.example/api'],
  ['/x', 'https://provider.example/api?to='],
  ['/x', 'https://provider.example/api#'],
  ['/x', 'https://user:secret@provider.example'],
  ['/x', 'no address'],
])('[A23.2] rejects the path %s below the base URL %s', (path, baseUrl) => {
  expect(below(path, baseUrl)).toThrow('The path leaves the base URL of the proxy channel');
});

test('forwards paths below the base URL unchanged', () => {
  expect(below('/x%2Fy/z')()).toBe('https://provider.example/api/v2/x%2Fy/z?a=1');
  expect(below('/x', 'https://provider.example')()).toBe('https://provider.example/x?a=1');
});
