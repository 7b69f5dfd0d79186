import { invalidScimRequest } from './scim-error.ts';
import { applyPatch, type Changes, setFields } from './scim-patch.ts';
import type { ScimPath } from './scim-path.ts';
import { booleanOf, isFields, listOf, requiredTextOf, requireFields, textOf } from './scim-values.ts';

/** Stored attributes of a SCIM user; all others are ignored. */
export interface ScimUser {
  readonly userName: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
  readonly isActive: boolean;
}

const empty: ScimUser = {
  userName: '',
  externalId: '',
  displayName: '',
  givenName: '',
  familyName: '',
  email: '',
  isActive: true,
};

const maxEmails = 50;

/** The user of a POST or PUT request. Without `active`, a new user is active and an existing one is unchanged. */
export function readUser(body: unknown, isActive = true): ScimUser {
  return checked(setFields({ ...empty, isActive }, requireFields(body, 'The body'), setAttribute));
}

export const patchUser = (user: ScimUser, body: unknown): ScimUser => checked(applyPatch(user, body, changes));

function checked(user: ScimUser): ScimUser {
  if (user.userName === '') throw invalidScimRequest('invalidValue', 'userName is required.');
  return user;
}

function setAttribute(user: ScimUser, path: ScimPath, value: unknown): ScimUser {
  switch (path.attribute) {
    case 'username':
      return { ...user, userName: requiredTextOf(value, 'userName') };
    case 'externalid':
      return { ...user, externalId: textOf(value, 'externalId') };
    case 'displayname':
      return { ...user, displayName: textOf(value, 'displayName') };
    case 'active':
      return { ...user, isActive: booleanOf(value, 'active') };
    case 'name':
      return setName(user, path, value);
    case 'emails':
      return setEmail(user, path, value);
    default:
      return user;
  }
}

function setName(user: ScimUser, { sub }: ScimPath, value: unknown): ScimUser {
  if (sub === undefined) {
    return Object.entries(isFields(value) ? value : {}).reduce(
      (changed, [key, part]) => setName(changed, { attribute: 'name', sub: key.toLowerCase() }, part),
      user,
    );
  }
  if (sub === 'givenname') return { ...user, givenName: textOf(value, 'name.givenName') };
  if (sub === 'familyname') return { ...user, familyName: textOf(value, 'name.familyName') };
  return user;
}

/** Only the primary or work address is stored. */
function setEmail(user: ScimUser, { condition, sub }: ScimPath, value: unknown): ScimUser {
  if (condition !== undefined) {
    const isStored = ['type', 'primary'].includes(condition.attribute) && /^(work|true)$/i.test(condition.value);
    if (!isStored || (sub !== undefined && sub !== 'value')) return user;
    return { ...user, email: emailOf(isFields(value) ? value['value'] : value) };
  }
  if (sub !== undefined) return sub === 'value' ? { ...user, email: emailOf(value) } : user;
  const emails = listOf(value, 'emails', maxEmails).map((email) => (isFields(email) ? email : { value: email }));
  const isPrimary = (email: Readonly<Record<string, unknown>>) => String(email['primary']).toLowerCase() === 'true';
  const chosen = emails.find(isPrimary) ?? emails.find(({ type }) => type === 'work') ?? emails[0];
  return { ...user, email: emailOf(chosen?.['value']) };
}

function emailOf(value: unknown): string {
  const email = textOf(value, 'emails.value').toLowerCase();
  if (email !== '' && !/^[^@\s]+@[^@\s]+$/.test(email))
    throw invalidScimRequest('invalidValue', 'emails.value is not an address.');
  return email;
}

function removeAttribute(user: ScimUser, path: ScimPath): ScimUser {
  if (path.attribute === 'username' || path.attribute === 'active')
    throw invalidScimRequest('mutability', `${path.attribute} cannot be removed.`);
  if (path.attribute === 'name' && path.sub === undefined) return { ...user, givenName: '', familyName: '' };
  return setAttribute(user, path, undefined);
}

const changes: Changes<ScimUser> = { set: setAttribute, add: setAttribute, remove: removeAttribute };
