import { describe, expect, test } from 'vitest';
import { hashSecret, SecretBox } from './secret-box.ts';

const box = new SecretBox('a key of some length');
const texts = ['', 'sk-1234567890', 'Zürich 渠道 🔑 \u0000\n', 'x'.repeat(100_000)];

describe('encrypted text', () => {
  test.each(texts)('is decrypted unchanged: %.20j', (text) => {
    expect(box.open(box.seal(text))).toBe(text);
  });

  test('an encrypted text can be decrypted with the same key in another process', () => {
    expect(new SecretBox('a key of some length').open(box.seal('secret'))).toBe('secret');
  });

  test('an encrypted text does not reveal its content and is never the same twice', () => {
    const sealed = Array.from({ length: 100 }, () => box.seal('the same secret'));
    expect(new Set(sealed).size).toBe(100);
    for (const one of sealed) {
      expect(one).not.toContain('secret');
      expect(Buffer.from(one.slice(3), 'base64').toString('latin1')).not.toContain('secret');
    }
  });

  test.each(['another key of length', 'a key of some length ', 'A key of some length'])(
    'an encrypted text cannot be decrypted with the key %j',
    (key) => {
      for (const text of texts) expect(() => new SecretBox(key).open(box.seal(text))).toThrow();
    },
  );
});

describe('tampered encrypted text', () => {
  const sealed = box.seal('secret');
  const bytes = Buffer.from(sealed.slice(3), 'base64');
  const asSealed = (changed: Buffer) => `v1:${changed.toString('base64')}`;

  test('a tampered text is rejected with any bit changed', () => {
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => box.open(asSealed(changed)), `bit ${bit}`).toThrow();
    }
  });

  test('a tampered text is rejected if truncated at any length, or extended', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => box.open(asSealed(bytes.subarray(0, length))), `length ${length}`).toThrow();
    }
    expect(() => box.open(asSealed(Buffer.concat([bytes, Buffer.from([0])])))).toThrow();
  });

  test.each(['', 'v1:', 'v1', 'secret', sealed.slice(3), sealed.replace('v1', 'v2'), ` ${sealed}`])(
    'a tampered text is rejected as %j',
    (text) => {
      expect(() => box.open(text)).toThrow();
    },
  );
});

describe('a fingerprint', () => {
  test('a fingerprint is the same only for the same text and key', () => {
    expect(box.fingerprint('secret')).toBe(new SecretBox('a key of some length').fingerprint('secret'));
    const others = ['Secret', 'secret ', '', 'sécret'].map((text) => box.fingerprint(text));
    const otherKey = new SecretBox('another key of length').fingerprint('secret');
    expect(new Set([box.fingerprint('secret'), otherKey, ...others]).size).toBe(6);
  });

  test('a fingerprint cannot be computed without the key', () => {
    expect(box.fingerprint('secret')).toMatch(/^[0-9a-f]{64}$/);
    expect(box.fingerprint('secret')).not.toBe(hashSecret('secret'));
  });
});

test('hashSecret uses SHA-256', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('encrypted bytes', () => {
  const bytes = Buffer.from([0, 255, 1, 254, ...Buffer.from('a request')]);

  test('encrypted bytes are decrypted unchanged with the same context', () => {
    for (const one of [bytes, Buffer.alloc(0), Buffer.alloc(300_000, 7)])
      expect(box.openBytes(box.sealBytes(one, 'request 1'), 'request 1')).toEqual(one);
    expect(new SecretBox('a key of some length').openBytes(box.sealBytes(bytes, 'x'), 'x')).toEqual(bytes);
  });

  test('encrypted bytes cannot be decrypted with another context or key, and reveal nothing', () => {
    const sealed = box.sealBytes(bytes, 'request 1');
    expect(sealed.toString('latin1')).not.toContain('request');
    for (const message of ['request 2', 'request 1 ', '']) expect(() => box.openBytes(sealed, message)).toThrow();
    expect(() => new SecretBox('another key of length').openBytes(sealed, 'request 1')).toThrow();
  });

  test('encrypted bytes cannot be decrypted with any bit changed or when truncated', () => {
    const sealed = box.sealBytes(bytes, 'request 1');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => box.openBytes(changed, 'request 1'), String(bit)).toThrow();
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => box.openBytes(sealed.subarray(0, length), 'request 1'), String(length)).toThrow();
  });
});
