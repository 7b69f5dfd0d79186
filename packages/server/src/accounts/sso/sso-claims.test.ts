import { expect, it } from 'vitest';
import { claimValues, domainOf, readRole, verifiedEmail } from './sso-claims.ts';

it.each([
  ['a list', { groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  ['a text', { groups: 'a' }, 'groups', ['a']],
  ['a path', { realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  ['a name with dots', { 'https://x.example/roles': ['a'] }, 'https://x.example/roles', ['a']],
  ['an empty list', { groups: [] }, 'groups', []],
  ['values of other types', { groups: [1, null, { a: 1 }, 'a'] }, 'groups', ['a']],
  ['a missing claim', {}, 'groups', undefined],
  ['an inherited property', {}, 'constructor', undefined],
  ['null', { groups: null }, 'groups', undefined],
])('reads %s', (_, claims, name, values) => expect(claimValues(claims, name)).toEqual(values));

it('assigns the mapped role with the highest precedence', () => {
  const mapping = {
    roles_claim: 'groups',
    roles: [
      { value: 'a', role: 'viewer' },
      { value: 'b', role: 'admin' },
    ],
  } as const;
  expect(readRole({ groups: ['a', 'b', 'owner'] }, mapping)).toBe('admin');
  expect(readRole({ groups: ['owner'] }, mapping)).toBe('none');
  expect(readRole({ groups: [] }, mapping)).toBe('none');
  expect(readRole({}, mapping)).toBe('unchanged');
  expect(readRole({ groups: ['a'] }, { roles_claim: 'groups', roles: [] })).toBe('unchanged');
});

it('accepts only verified addresses', () => {
  expect(verifiedEmail({ email: 'Ada@Corp.example', email_verified: true })).toBe('ada@corp.example');
  for (const email_verified of [false, 'true', undefined, 1])
    expect(verifiedEmail({ email: 'ada@corp.example', email_verified })).toBe('');
  expect(verifiedEmail({ email: 'a@b@corp.example', email_verified: true })).toBe('');
  expect(domainOf('ada@corp.example')).toBe('corp.example');
});
