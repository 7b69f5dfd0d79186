import { maxOrganizationMembers, role } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { MembershipService, OrganizationRow } from '../organizations/membership-service.ts';
import type { UserService } from '../users/user-service.ts';
import type { DirectoryAccessService, ProvisionedAccount } from './directory-access-service.ts';
import {
  type DirectoryUserRepository,
  type DirectoryUserRow,
  directoryKey,
  type PageSlice,
  type SignInIdentity,
  userFilterAttributes,
} from './directory-user-repository.ts';
import type { ManagedAccountRepository } from './managed-account-repository.ts';
import type { ManagedAccountService } from './managed-account-service.ts';
import { invalidScimRequest, ScimError } from './scim-error.ts';
import { parseFilter } from './scim-path.ts';
import { patchUser, readUser, type ScimUser } from './scim-user.ts';

interface DirectoryUserServiceDependencies {
  readonly directoryUsers: DirectoryUserRepository;
  readonly directoryAccess: DirectoryAccessService;
  readonly managedAccounts: ManagedAccountRepository;
  readonly managedAccountService: ManagedAccountService;
  readonly memberships: MembershipService;
  readonly users: UserService;
  readonly inTransaction: InTransaction;
}

/** Users of an organization's directory. Every call is limited to one organization. */
export class DirectoryUserService {
  readonly #dependencies: DirectoryUserServiceDependencies;

  constructor(dependencies: DirectoryUserServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async page(organizationId: number, filter: string, slice: PageSlice) {
    const conditions = parseFilter(filter);
    for (const { attribute } of conditions)
      if (!userFilterAttributes.includes(attribute))
        throw invalidScimRequest('invalidFilter', `Users cannot be filtered by ${attribute}.`);
    return this.#dependencies.directoryUsers.page(organizationId, conditions, slice);
  }

  async get(organizationId: number, id: number): Promise<DirectoryUserRow> {
    return found(await this.#dependencies.directoryUsers.find(organizationId, id));
  }

  /** The only user with one of these ids or, without one, with one of these names. */
  findForSignIn(transaction: Transaction, organizationId: number, wanted: SignInIdentity) {
    return this.#dependencies.directoryUsers.within(transaction).findForSignIn(organizationId, wanted);
  }

  async isProvisioned(transaction: Transaction, organizationId: number, userId: number): Promise<boolean> {
    const rows = this.#dependencies.directoryUsers.within(transaction);
    return (await rows.findByUser(organizationId, userId)) !== undefined;
  }

  create(organizationId: number, body: unknown): Promise<DirectoryUserRow> {
    const wanted = readUser(body);
    const { directoryUsers, directoryAccess, memberships, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const organization = await memberships.lock(transaction, organizationId);
      const rows = directoryUsers.within(transaction);
      await rows.removeStale(organizationId);
      if (await rows.findByName(organizationId, wanted.userName)) throw taken();
      if ((await rows.count(organizationId)) >= maxOrganizationMembers)
        throw new ScimError(400, `The directory has reached the limit of ${maxOrganizationMembers} users.`, 'tooMany');
      const { user, isNew } = await this.#accountFor(transaction, organization, wanted);
      const now = nowInSeconds();
      const id = await rows.insert({
        ...columnsOf(wanted),
        organization_id: organizationId,
        user_id: user.id,
        created_time: now,
        updated_time: now,
      });
      const row = found(await rows.find(organizationId, id));
      const values = { name: wanted.userName, member: user.username, account: isNew ? 'new' : 'existing' };
      await directoryAccess.record(transaction, organization, 'organization.directory_user_added', values);
      const provisioned = { organization, row, user };
      if (wanted.isActive) await directoryAccess.give(transaction, provisioned);
      else await directoryAccess.end(transaction, provisioned);
      return found(await rows.find(organizationId, id));
    });
  }

  replace(organizationId: number, id: number, body: unknown): Promise<DirectoryUserRow> {
    return this.#update(organizationId, id, (row) => readUser(body, row.is_active === 1));
  }

  patch(organizationId: number, id: number, body: unknown): Promise<DirectoryUserRow> {
    return this.#update(organizationId, id, (row) => patchUser(attributesOf(row), body));
  }

  /** Ends the user's access. An account that the organization created and only it uses is deleted. */
  remove(organizationId: number, id: number): Promise<void> {
    const { directoryUsers, directoryAccess, managedAccountService } = this.#dependencies;
    return this.#change(organizationId, id, async (transaction, provisioned) => {
      const { organization, row, user } = provisioned;
      if (row.is_active === 1) await directoryAccess.end(transaction, provisioned);
      const values = { name: row.user_name, member: user.username };
      await directoryAccess.record(transaction, organization, 'organization.directory_user_removed', values);
      const isManaged = await managedAccountService.isManagedBy(transaction, user.id, organizationId);
      await directoryUsers.within(transaction).remove(row.id);
      if (isManaged) await managedAccountService.close(transaction, user, organizationId);
    });
  }

  #update(organizationId: number, id: number, change: (row: DirectoryUserRow) => ScimUser): Promise<DirectoryUserRow> {
    const { directoryUsers } = this.#dependencies;
    return this.#change(organizationId, id, async (transaction, provisioned) => {
      const rows = directoryUsers.within(transaction);
      const wanted = change(provisioned.row);
      await this.#store(transaction, provisioned, wanted);
      return found(await rows.find(organizationId, id));
    });
  }

  async #store(transaction: Transaction, provisioned: ProvisionedAccount, wanted: ScimUser): Promise<void> {
    const { directoryUsers, directoryAccess, managedAccountService } = this.#dependencies;
    const { organization, row, user } = provisioned;
    const rows = directoryUsers.within(transaction);
    const namesake = await rows.findByName(organization.id, wanted.userName);
    if (namesake && namesake.id !== row.id) throw taken();
    const columns = columnsOf(wanted);
    const fields = Object.entries(columns).filter(([name, value]) => row[name as keyof typeof columns] !== value);
    const changed = fields.map(([name]) => name).filter((name) => name !== 'is_active' && name !== 'name_key');
    if (fields.length > 0) await rows.update(row.id, { ...columns, updated_time: nowInSeconds() });
    const values = { name: wanted.userName, member: user.username };
    if (changed.length > 0) {
      const fieldNames = { ...values, fields: changed.join(', ') };
      await directoryAccess.record(transaction, organization, 'organization.directory_user_updated', fieldNames);
      if (await managedAccountService.isManagedBy(transaction, user.id, organization.id))
        await managedAccountService.setDisplayName(transaction, user, namesOf(wanted));
    }
    if (wanted.isActive === (row.is_active === 1)) return;
    const tokens = String(await directoryAccess[wanted.isActive ? 'give' : 'end'](transaction, provisioned));
    const event = wanted.isActive ? 'organization.directory_user_activated' : 'organization.directory_user_deactivated';
    await directoryAccess.record(transaction, organization, event, { ...values, tokens });
  }

  /**
   * The account is locked before the organization, in the same order as when accounts are closed, and both are read
   * again.
   */
  async #change<Result>(
    organizationId: number,
    id: number,
    work: (transaction: Transaction, provisioned: ProvisionedAccount) => Promise<Result>,
  ): Promise<Result> {
    const { directoryUsers, memberships, users, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const rows = directoryUsers.within(transaction);
      const { user_id } = found(await rows.find(organizationId, id));
      const user = found(await users.findLocked(transaction, user_id));
      const organization = await memberships.lock(transaction, organizationId);
      return work(transaction, { organization, row: found(await rows.find(organizationId, id)), user });
    });
  }

  /**
   * The account of a member with this address, or a new one. An address alone never selects an account outside the
   * organization, because the directory can send any address.
   */
  async #accountFor(
    transaction: Transaction,
    organization: OrganizationRow,
    wanted: ScimUser,
  ): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
    const { directoryUsers, managedAccounts, managedAccountService, users } = this.#dependencies;
    const emails = [...new Set([wanted.email, wanted.userName.toLowerCase()])].filter((text) => text.includes('@'));
    const known = await managedAccounts.within(transaction).memberWithEmail(organization.id, emails);
    if (known) {
      if (known.role !== role.common)
        throw new ScimError(409, 'Admins of the gateway are not provisioned.', 'uniqueness');
      if (await directoryUsers.within(transaction).findByUser(organization.id, known.id)) throw taken();
      return { user: await users.lock(transaction, known.id), isNew: false };
    }
    const account = { login: wanted.userName, names: namesOf(wanted), provider: 'SCIM' };
    return { user: await managedAccountService.open(transaction, organization, account), isNew: true };
  }
}

const namesOf = ({ displayName, givenName, familyName, userName }: ScimUser): readonly string[] => [
  displayName,
  `${givenName} ${familyName}`,
  userName.split('@')[0] ?? '',
];

const columnsOf = (user: ScimUser) => ({
  user_name: user.userName,
  name_key: directoryKey(user.userName),
  external_id: user.externalId,
  display_name: user.displayName,
  given_name: user.givenName,
  family_name: user.familyName,
  email: user.email,
  is_active: Number(user.isActive),
});

const attributesOf = (row: DirectoryUserRow): ScimUser => ({
  userName: row.user_name,
  externalId: row.external_id,
  displayName: row.display_name,
  givenName: row.given_name,
  familyName: row.family_name,
  email: row.email,
  isActive: row.is_active === 1,
});

const taken = (): ScimError => new ScimError(409, 'This user already exists.', 'uniqueness');

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ScimError(404, 'The resource does not exist.');
  return row;
}
