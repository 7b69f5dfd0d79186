import { maxOrganizationMembers } from '@headgate/contract';
import { invalidScimRequest } from './scim-error.ts';
import { applyPatch, type Changes, setFields } from './scim-patch.ts';
import type { ScimPath } from './scim-path.ts';
import { isFields, listOf, requiredTextOf, requireFields, textOf } from './scim-values.ts';

/** Stored attributes of a SCIM group; all others are ignored. */
export interface ScimGroup {
  readonly displayName: string;
  readonly externalId: string;
  /** IDs of SCIM users. */
  readonly members: ReadonlySet<number>;
}

const empty: ScimGroup = { displayName: '', externalId: '', members: new Set() };

/** The group of a POST or PUT request. */
export const readGroup = (body: unknown): ScimGroup =>
  checked(setFields(empty, requireFields(body, 'The body'), setAttribute));

export const patchGroup = (group: ScimGroup, body: unknown): ScimGroup => checked(applyPatch(group, body, changes));

function checked(group: ScimGroup): ScimGroup {
  if (group.displayName === '') throw invalidScimRequest('invalidValue', 'displayName is required.');
  if (group.members.size > maxOrganizationMembers)
    throw invalidScimRequest('tooMany', 'The group has too many members.');
  return group;
}

function setAttribute(group: ScimGroup, { attribute }: ScimPath, value: unknown): ScimGroup {
  switch (attribute) {
    case 'displayname':
      return { ...group, displayName: requiredTextOf(value, 'displayName') };
    case 'externalid':
      return { ...group, externalId: textOf(value, 'externalId') };
    case 'members':
      return { ...group, members: membersIn(value) };
    default:
      return group;
  }
}

function addAttribute(group: ScimGroup, path: ScimPath, value: unknown): ScimGroup {
  if (path.attribute !== 'members') return setAttribute(group, path, value);
  return { ...group, members: new Set([...group.members, ...membersIn(value)]) };
}

/**
 * Members are selected by the path, as in `members[value eq "7"]`, or by the value; without either, all are removed.
 */
function removeAttribute(group: ScimGroup, path: ScimPath, value: unknown): ScimGroup {
  if (path.attribute === 'displayname') throw invalidScimRequest('mutability', 'displayName cannot be removed.');
  if (path.attribute !== 'members') return setAttribute(group, path, undefined);
  const removed = path.condition ? membersIn([{ value: path.condition.value }]) : membersIn(value);
  const isAll = path.condition === undefined && (value === undefined || value === null);
  return { ...group, members: isAll ? new Set() : new Set([...group.members].filter((id) => !removed.has(id))) };
}

const membersIn = (value: unknown): ReadonlySet<number> =>
  new Set(listOf(value, 'members', maxOrganizationMembers).map(memberOf));

function memberOf(member: unknown): number {
  const id = isFields(member) ? member['value'] : member;
  const number = Number(id);
  if (/^\d{1,15}$/.test(String(id)) && number > 0) return number;
  throw invalidScimRequest('invalidValue', 'A member must be the id of a user.');
}

const changes: Changes<ScimGroup> = { set: setAttribute, add: addAttribute, remove: removeAttribute };
