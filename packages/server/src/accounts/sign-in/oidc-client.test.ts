import { expect, it } from 'vitest';
import { mergeClaims } from './oidc-client.ts';

it('[A75.22] reads an address and its verification from the same response', () => {
  const address = { email: 'ada@corp.example' };
  const userInfo = { email: 'other@corp.example', email_verified: true, name: 'Ada' };
  expect(mergeClaims(address, userInfo)).toEqual({ ...address, email_verified: undefined, name: 'Ada' });
  expect(mergeClaims({ email_verified: true }, address)).toEqual({ ...address, email_verified: undefined });
  expect(mergeClaims({ name: 'Grace' }, userInfo)).toEqual({ ...userInfo, name: 'Grace' });
});
