import { expect, test } from 'vitest';
import { isFramable } from './framable-address.ts';

test.each([
  ['https://chat.example/app', true],
  ['http://chat.example', true],
  ['https://gate.example/chat', false],
  ['/v1/proxy/1/', false],
  ['https://[', false],
  ['http://a b', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
])('[A63.7] determines whether %s may be embedded', (address, expected) => {
  expect(isFramable(address, 'https://gate.example/chat')).toBe(expected);
});
