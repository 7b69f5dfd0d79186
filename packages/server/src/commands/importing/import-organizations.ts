import type { ImportedIds, ImportedOrganizations } from '@headgate/importer';
import type { OrganizationMemberRepository } from '../../accounts/organizations/organization-member-repository.ts';
import type { OrganizationRepository } from '../../accounts/organizations/organization-repository.ts';
import type { ProjectRepository } from '../../accounts/organizations/project-repository.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { ImportedBalanceRepository } from './imported-balance-repository.ts';

export interface OrganizationRepositories {
  readonly organizations: OrganizationRepository;
  readonly members: OrganizationMemberRepository;
  readonly projects: ProjectRepository;
  readonly balances: ImportedBalanceRepository;
}

type Ids = ReadonlyMap<string, number>;

/** Ids by source id. */
interface OrganizationIds {
  readonly organization: Ids;
  readonly member: Ids;
  readonly project: Ids;
  readonly service_account: Ids;
}

export interface WrittenOrganizations {
  /** Written in this run. */
  readonly created: OrganizationIds;
  /** Including those of earlier runs. */
  readonly all: OrganizationIds;
}

interface WritingContext {
  readonly rows: OrganizationRepositories;
  readonly imported: ImportedIds;
  /** Including users of earlier runs. */
  readonly users: Ids;
  /** Super admin of this gateway. */
  readonly rootId: number | undefined;
}

/** Writes organizations with their members, projects and service accounts. */
export async function writeOrganizations(
  transaction: Transaction,
  planned: ImportedOrganizations,
  context: WritingContext,
): Promise<WrittenOrganizations> {
  const { imported, rows } = context;
  const organization = await writeAccounts(transaction, planned.organizations, rows);
  const organizations: Ids = new Map([...imported.organization, ...organization]);
  const member = await writeMembers(transaction, planned.members, { ...context, organizations });
  const projects = rows.projects.within(transaction);
  const project = new Map<string, number>();
  for (const { sourceId, organization: id, name, models, status } of planned.projects) {
    const organization_id = idIn(organizations, id);
    const insert = (free: string) => projects.insertProject({ organization_id, name: free, models, status });
    project.set(String(sourceId), await withFreeName(name, insert));
  }
  const service_account = new Map<string, number>();
  for (const { sourceId, organization: id, name } of planned.serviceAccounts) {
    const insert = (free: string) => projects.insertServiceAccount(idIn(organizations, id), free);
    service_account.set(String(sourceId), await withFreeName(name, insert));
  }
  return {
    created: { organization, member, project, service_account },
    all: {
      organization: organizations,
      member: new Map([...imported.member, ...member]),
      project: new Map([...imported.project, ...project]),
      service_account: new Map([...imported.service_account, ...service_account]),
    },
  };
}

async function writeAccounts(
  transaction: Transaction,
  planned: ImportedOrganizations['organizations'],
  { organizations, balances }: OrganizationRepositories,
): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const { sourceId, name, group, ...account } of planned) {
    const id = await withFreeName(name, (free) => organizations.within(transaction).insert(free, group));
    await balances.within(transaction).set(id, account);
    transaction.changed(`user:${id}`);
    ids.set(String(sourceId), id);
  }
  return ids;
}

/** Users who were removed from an existing organization are not added again. */
async function writeMembers(
  transaction: Transaction,
  planned: ImportedOrganizations['members'],
  { rows, users, rootId, organizations }: WritingContext & { readonly organizations: Ids },
): Promise<Ids> {
  const members = rows.members.within(transaction);
  const ids = new Map<string, number>();
  for (const { sourceId, organization, user, role } of planned) {
    const userId = user === undefined ? rootId : idIn(users, user);
    if (userId === undefined) continue;
    const organizationId = idIn(organizations, organization);
    const isKnown = await members.hasLeft(organizationId, userId);
    const id = isKnown ? undefined : await members.insert({ organizationId, userId, role, source: 'admin' });
    ids.set(String(sourceId), id ?? 0);
  }
  return ids;
}

/** Adds a number to a name that is taken. */
async function withFreeName(name: string, insert: (name: string) => Promise<number | undefined>): Promise<number> {
  for (let count = 1; ; count += 1) {
    const id = await insert(count === 1 ? name : `${name} ${count}`);
    if (id !== undefined) return id;
  }
}

function idIn(ids: Ids, sourceId: number): number {
  const id = ids.get(String(sourceId));
  if (id === undefined) throw new Error(`Nothing was written for ${sourceId}.`);
  return id;
}
