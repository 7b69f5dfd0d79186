import { maxDirectoryGroups } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { MembershipService, OrganizationRow } from '../organizations/membership-service.ts';
import type { DirectoryAccessService } from './directory-access-service.ts';
import {
  type DirectoryGroupRepository,
  type DirectoryGroupRow,
  groupFilterAttributes,
} from './directory-group-repository.ts';
import { type DirectoryUserRepository, directoryKey, type PageSlice } from './directory-user-repository.ts';
import { invalidScimRequest, ScimError } from './scim-error.ts';
import { patchGroup, readGroup, type ScimGroup } from './scim-group.ts';
import { parseFilter } from './scim-path.ts';

interface DirectoryGroupServiceDependencies {
  readonly directoryUsers: DirectoryUserRepository;
  readonly directoryGroups: DirectoryGroupRepository;
  readonly directoryAccess: DirectoryAccessService;
  readonly memberships: MembershipService;
  readonly inTransaction: InTransaction;
}

/** A group with its members, for a response. */
export interface GroupWithMembers {
  readonly group: DirectoryGroupRow;
  readonly members: readonly { readonly id: number; readonly user_name: string }[];
}

interface Work {
  readonly transaction: Transaction;
  readonly organization: OrganizationRow;
  readonly rows: DirectoryGroupRepository;
}

/**
 * Groups of an organization's directory. Owners of the organization map them to roles; a group name never determines a
 * role.
 */
export class DirectoryGroupService {
  readonly #dependencies: DirectoryGroupServiceDependencies;

  constructor(dependencies: DirectoryGroupServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async page(organizationId: number, filter: string, slice: PageSlice) {
    const conditions = parseFilter(filter);
    for (const { attribute } of conditions)
      if (!groupFilterAttributes.includes(attribute))
        throw invalidScimRequest('invalidFilter', `Groups cannot be filtered by ${attribute}.`);
    const { directoryGroups } = this.#dependencies;
    const { rows, total } = await directoryGroups.page(organizationId, conditions, slice);
    const byGroup = Map.groupBy(await directoryGroups.membersOf(rows.map(({ id }) => id)), ({ group_id }) => group_id);
    return { rows: rows.map((group) => ({ group, members: byGroup.get(group.id) ?? [] })), total };
  }

  get(organizationId: number, id: number): Promise<GroupWithMembers> {
    return withMembers(this.#dependencies.directoryGroups, organizationId, id);
  }

  create(organizationId: number, body: unknown): Promise<GroupWithMembers> {
    const wanted = readGroup(body);
    return this.#change(organizationId, async ({ transaction, organization, rows }) => {
      if (await rows.findByName(organizationId, wanted.displayName)) throw taken();
      if ((await rows.count(organizationId)) >= maxDirectoryGroups)
        throw new ScimError(400, `The directory has reached the limit of ${maxDirectoryGroups} groups.`, 'tooMany');
      const now = nowInSeconds();
      const times = { created_time: now, updated_time: now };
      const id = await rows.insert({ ...columnsOf(wanted), ...times, organization_id: organizationId });
      await this.#requireUsers(transaction, organizationId, [...wanted.members]);
      await rows.addMembers(id, [...wanted.members]);
      const values = { group: wanted.displayName };
      await this.#dependencies.directoryAccess.record(
        transaction,
        organization,
        'organization.directory_group_added',
        values,
      );
      return withMembers(rows, organizationId, id);
    });
  }

  replace(organizationId: number, id: number, body: unknown): Promise<GroupWithMembers> {
    const wanted = readGroup(body);
    return this.#update(organizationId, id, () => wanted);
  }

  patch(organizationId: number, id: number, body: unknown): Promise<GroupWithMembers> {
    return this.#update(organizationId, id, (group) => patchGroup(group, body));
  }

  remove(organizationId: number, id: number): Promise<void> {
    const { directoryAccess } = this.#dependencies;
    return this.#change(organizationId, async ({ transaction, organization, rows }) => {
      const { group } = await withMembers(rows, organizationId, id);
      const members = await rows.membersOf([id]);
      await rows.remove(id);
      const values = { group: group.name };
      await directoryAccess.record(transaction, organization, 'organization.directory_group_removed', values);
      await directoryAccess.applyRoles(transaction, organization, new Set(members.map(({ user_id }) => user_id)));
    });
  }

  #update(organizationId: number, id: number, change: (group: ScimGroup) => ScimGroup): Promise<GroupWithMembers> {
    const { directoryAccess } = this.#dependencies;
    return this.#change(organizationId, async ({ transaction, organization, rows }) => {
      const { group } = await withMembers(rows, organizationId, id);
      const before = await rows.membersOf([id]);
      const present = new Set(before.map((member) => member.id));
      const wanted = change({ displayName: group.name, externalId: group.external_id, members: present });
      const namesake = await rows.findByName(organizationId, wanted.displayName);
      if (namesake && namesake.id !== id) throw taken();
      const added = [...wanted.members].filter((member) => !present.has(member));
      const removed = [...present].filter((member) => !wanted.members.has(member));
      const columns = columnsOf(wanted);
      const isRenamed = group.name !== columns.name || group.external_id !== columns.external_id;
      if (!isRenamed && added.length === 0 && removed.length === 0) return withMembers(rows, organizationId, id);
      await this.#requireUsers(transaction, organizationId, added);
      await rows.update(id, { ...columns, updated_time: nowInSeconds() });
      await rows.addMembers(id, added);
      await rows.removeMembers(id, removed);
      const fields = isRenamed
        ? `name, members +${added.length} −${removed.length}`
        : `members +${added.length} −${removed.length}`;
      const values = { group: wanted.displayName, fields };
      await directoryAccess.record(transaction, organization, 'organization.directory_group_updated', values);
      const touched = [...before, ...(await rows.membersOf([id]))].map(({ user_id }) => user_id);
      if (group.role !== '') await directoryAccess.applyRoles(transaction, organization, new Set(touched));
      return withMembers(rows, organizationId, id);
    });
  }

  async #requireUsers(transaction: Transaction, organizationId: number, ids: readonly number[]): Promise<void> {
    const known = await this.#dependencies.directoryUsers.within(transaction).existing(organizationId, ids);
    const unknown = ids.find((id) => !known.has(id));
    if (unknown !== undefined) throw invalidScimRequest('invalidValue', `There is no user with the id ${unknown}.`);
  }

  #change<Result>(organizationId: number, work: (work: Work) => Promise<Result>): Promise<Result> {
    const { memberships, directoryGroups, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const organization = await memberships.lock(transaction, organizationId);
      return work({ transaction, organization, rows: directoryGroups.within(transaction) });
    });
  }
}

const columnsOf = ({ displayName, externalId }: ScimGroup) => ({
  name: displayName,
  name_key: directoryKey(displayName),
  external_id: externalId,
});

async function withMembers(
  rows: DirectoryGroupRepository,
  organizationId: number,
  id: number,
): Promise<GroupWithMembers> {
  const group = await rows.find(organizationId, id);
  if (!group) throw new ScimError(404, 'The resource does not exist.');
  return { group, members: await rows.membersOf([id]) };
}

const taken = (): ScimError => new ScimError(409, 'This group already exists.', 'uniqueness');
