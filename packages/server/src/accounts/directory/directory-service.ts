import {
  type DirectoryGroup,
  type DirectoryRole,
  type DirectoryUser,
  maxOrganizationMembers,
  type organizationDirectoryApi,
  type Parsed,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OrganizationAccess } from '../organizations/organization-access.ts';
import type { DirectoryAccessService } from './directory-access-service.ts';
import type { DirectoryGroupRepository } from './directory-group-repository.ts';
import type { DirectoryUserRepository } from './directory-user-repository.ts';

type GroupChange = Parsed<typeof organizationDirectoryApi.updateGroup>['body'];

interface DirectoryServiceDependencies {
  readonly access: OrganizationAccess;
  readonly directoryUsers: DirectoryUserRepository;
  readonly directoryGroups: DirectoryGroupRepository;
  readonly directoryAccess: DirectoryAccessService;
  readonly inTransaction: InTransaction;
}

/** What a directory has provisioned, as shown to the owners of the organization. */
export class DirectoryService {
  readonly #dependencies: DirectoryServiceDependencies;

  constructor(dependencies: DirectoryServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async users(actor: UserRow, id: number): Promise<DirectoryUser[]> {
    const { access, directoryUsers } = this.#dependencies;
    await access.require(actor, id, 'manage_sign_in');
    const { rows } = await directoryUsers.page(id, [], { offset: 0, limit: maxOrganizationMembers });
    return rows.map(({ is_active, managed_id, ...row }) => ({
      ...row,
      is_active: is_active === 1,
      is_managed: managed_id !== null,
    }));
  }

  async groups(actor: UserRow, id: number): Promise<DirectoryGroup[]> {
    const { access, directoryGroups } = this.#dependencies;
    await access.require(actor, id, 'manage_sign_in');
    return directoryGroups.list(id);
  }

  /** Members whose groups have no role get the default role. */
  setGroupRole(actor: UserRow, id: number, { id: groupId, role }: GroupChange): Promise<void> {
    const { access, directoryGroups, directoryAccess, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      const rows = directoryGroups.within(transaction);
      const group = await rows.find(id, groupId);
      if (!group) throw new ApiError('notFound');
      if (group.role === role) return;
      await rows.update(groupId, { role });
      const named = (given: DirectoryRole | '') => given || '-';
      const values = { user: actor.username, group: group.name, before: named(group.role), after: named(role) };
      await directoryAccess.record(transaction, organization, 'organization.directory_group_role', values);
      const members = await rows.membersOf([groupId]);
      await directoryAccess.applyRoles(transaction, organization, new Set(members.map(({ user_id }) => user_id)));
    });
  }
}
