import { type DirectoryRole, highestDirectoryRole } from '@headgate/contract';
import { type Fields, stringField } from '../../platform/outgoing/request-json.ts';
import type { ClaimRole } from './sso-repository.ts';

const maxValues = 1000;

/** Values of a claim, by name or path; undefined if it is absent, which changes no role. */
export function claimValues(claims: Fields, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
  if (value === undefined || value === null) return undefined;
  const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxValues) : [value];
  return values.filter((each): each is string => typeof each === 'string' && each !== '');
}

function valueAt(claims: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (typeof claims !== 'object' || claims === null || !Object.hasOwn(claims, name)) return undefined;
  const value = (claims as Fields)[name];
  return rest.length === 0 ? value : valueAt(value, rest);
}

interface RoleMapping {
  readonly roles_claim: string;
  readonly roles: readonly ClaimRole[];
}

/**
 * Role determined by the claims. `unchanged`: the provider has no mapping or sent no claim. `none`: no claim value is
 * mapped.
 */
export function readRole(claims: Fields, { roles_claim, roles }: RoleMapping): DirectoryRole | 'unchanged' | 'none' {
  if (roles_claim === '' || roles.length === 0) return 'unchanged';
  const values = claimValues(claims, roles_claim);
  if (values === undefined) return 'unchanged';
  const given = roles.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  return given.length === 0 ? 'none' : highestDirectoryRole(given);
}

/** The address verified by the provider, in lowercase; empty if there is none. */
export function verifiedEmail(claims: Fields): string {
  const email = stringField(claims, 'email').toLowerCase();
  return claims['email_verified'] === true && /^[^@\s]+@[^@\s]+$/.test(email) ? email : '';
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
