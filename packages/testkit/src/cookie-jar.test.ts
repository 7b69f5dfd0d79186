import { expect, test } from 'vitest';
import { CookieJar } from './cookie-jar.ts';

const plain = new URL('http://x.example/api/user');
const secure = new URL('https://x.example/api/user');

test('sends a cookie back by name and value', () => {
  const jar = new CookieJar();
  jar.accept('a=1; HttpOnly');
  jar.accept('b=x=y; Path=/; SameSite=Lax');
  expect(jar.headerFor(plain)).toBe('a=1; b=x=y');
  jar.clear();
  expect(jar.headerFor(plain)).toBeUndefined();
});

test('sends a secure cookie over https only', () => {
  const jar = new CookieJar();
  jar.accept('a=1; Secure');
  expect(jar.headerFor(plain)).toBeUndefined();
  expect(jar.headerFor(secure)).toBe('a=1');
});

test('sends a cookie only to URLs below its path', () => {
  const jar = new CookieJar();
  jar.accept('a=1; Path=/api');
  expect(jar.headerFor(plain)).toBe('a=1');
  expect(jar.headerFor(new URL('http://x.example/'))).toBeUndefined();
});

test.each(['Max-Age=0', 'Max-Age=-1', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'])(
  'removes a cookie with %s',
  (attribute) => {
    const jar = new CookieJar();
    jar.set('a', '1');
    jar.accept(`a=; ${attribute}`);
    expect(jar.get('a')).toBeUndefined();
    expect(jar.headerFor(plain)).toBeUndefined();
  },
);

test('prefers Max-Age over Expires', () => {
  const jar = new CookieJar();
  jar.accept('a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60');
  expect(jar.get('a')).toBe('1');
});
