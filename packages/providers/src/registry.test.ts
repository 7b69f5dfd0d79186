import { channelTypes } from '@headgate/contract';
import { expect, test } from 'vitest';
import { providers } from './registry.ts';

test('every channel type has a provider with distinct models and a base URL without a trailing slash', () => {
  expect(
    Object.keys(providers)
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual(channelTypes.map(({ id }) => id).sort((a, b) => a - b));
  for (const [id, { models, baseUrl }] of Object.entries(providers)) {
    expect(new Set(models).size, `models of type ${id}`).toBe(models.length);
    expect(baseUrl, `address of type ${id}`).toMatch(/^(https?:\/\/.*[^/])?$/);
  }
});

test('a type reports its balance if and only if the contract defines the unit', () => {
  for (const type of channelTypes) {
    expect(providers[type.id].balance !== undefined, `type ${type.id}`).toBe('balance' in type);
  }
});

test('no row forwards credentials, cookies or connection headers', () => {
  const kept =
    /^(authorization|cookie|host|content-.*|connection|te|trailer|upgrade|expect|.*(key|token|secret|proxy|forwarded|transfer).*)$/;
  for (const [id, provider] of Object.entries(providers)) {
    for (const name of provider.clientHeaders ?? []) {
      expect(name, `type ${id}`).toBe(name.toLowerCase());
      expect(name, `type ${id}`).not.toMatch(kept);
    }
  }
});
