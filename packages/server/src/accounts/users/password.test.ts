import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { fastPasswordHash } from '../../testing/accounts/fast-password-hash.ts';
import { hashPassword, verifyPassword } from './password.ts';

const phc = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

test('a password hash uses PHC notation with the recommended cost', async () => {
  expect(await hashPassword('correct horse')).toMatch(phc);
});

test('a password hash is salted and does not contain the password', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(first).not.toBe(second);
  expect(first).not.toContain('correct');
});

test('a password hash equals Argon2id with its salt', async () => {
  const [, salt = '', tag = ''] = phc.exec(await hashPassword('correct horse')) ?? [];
  const expected = argon2Sync('argon2id', {
    message: 'correct horse',
    nonce: Buffer.from(salt, 'base64'),
    tagLength: 32,
    memory: 19_456,
    passes: 2,
    parallelism: 1,
  });
  expect(Buffer.from(tag, 'base64').equals(expected)).toBe(true);
});

test('verification accepts only the correct password', async () => {
  const hash = await hashPassword('correct horse');
  expect(await verifyPassword('correct horse', hash)).toBe(true);
  for (const wrong of ['Correct horse', 'correct horse ', 'correct hors', '', hash]) {
    expect(await verifyPassword(wrong, hash)).toBe(false);
  }
});

test('verification distinguishes passwords in any script', async () => {
  const hash = await hashPassword('密码🔑é');
  expect(await verifyPassword('密码🔑é', hash)).toBe(true);
  expect(await verifyPassword('密码🔑e', hash)).toBe(false);
});

test('verification without a hash matches nothing', async () => {
  expect(await verifyPassword('', null)).toBe(false);
  expect(await verifyPassword('correct horse', null)).toBe(false);
});

test.each([
  '',
  'correct horse',
  '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$dGFn',
  '$2b$10$abcdefghijklmnopqrstuv',
  '$argon2id$v=19$m=x,t=1,p=1$a$b',
])('verification with an invalid hash matches nothing: %j', async (hash) => {
  expect(await verifyPassword('correct horse', hash)).toBe(false);
});

test('hashes at the given memory cost', async () => {
  const hash = await hashPassword('correct horse', 8);
  expect(hash).toContain('$m=8,t=2,p=1$');
  expect(await verifyPassword('correct horse', hash)).toBe(true);
});

test('verification reads the cost from the hash, so that old hashes can still be verified', async () => {
  const cheap = fastPasswordHash('correct horse');
  expect(cheap).toContain('$m=8,t=1,p=1$');
  expect(await verifyPassword('correct horse', cheap)).toBe(true);
  expect(await verifyPassword('correct horsf', cheap)).toBe(false);
  expect(await verifyPassword('correct horse', cheap.replace('t=1', 't=2'))).toBe(false);
});
