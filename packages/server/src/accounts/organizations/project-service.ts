import {
  maxProjects,
  maxServiceAccounts,
  type OrganizationPermission,
  type Parsed,
  type Project,
  type projectApi,
  projectStatus,
  type ServiceAccount,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OrganizationAccess } from './organization-access.ts';
import type { OrganizationRow } from './organization-repository.ts';
import type { OrganizationTokenRepository } from './organization-token-repository.ts';
import type { ProjectRepository } from './project-repository.ts';

type Creation = Parsed<typeof projectApi.create>['body'];
type Update = Parsed<typeof projectApi.update>['body'];

interface ProjectServiceDependencies {
  readonly access: OrganizationAccess;
  readonly projects: ProjectRepository;
  readonly organizationTokens: OrganizationTokenRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

interface Work {
  readonly transaction: Transaction;
  readonly rows: ProjectRepository;
  readonly organization: OrganizationRow;
}

/** Projects and service accounts of organizations. */
export class ProjectService {
  readonly #dependencies: ProjectServiceDependencies;

  constructor(dependencies: ProjectServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async projects(actor: UserRow, id: number): Promise<Project[]> {
    await this.#dependencies.access.require(actor, id, 'see_projects');
    return this.#dependencies.projects.projects(id);
  }

  async project(actor: UserRow, id: number, projectId: number): Promise<Project> {
    await this.#dependencies.access.require(actor, id, 'see_projects');
    return found(await this.#dependencies.projects.project(id, projectId));
  }

  createProject(actor: UserRow, id: number, creation: Creation): Promise<Project> {
    return this.#change(actor, id, 'manage_projects', async ({ transaction, rows, organization }) => {
      if ((await rows.projects(id)).length >= maxProjects)
        throw new ApiError('tooManyProjects', { limit: String(maxProjects) });
      const created = await rows.insertProject({ ...creation, organization_id: id, status: projectStatus.enabled });
      if (created === undefined) throw new ApiError('projectNameTaken');
      const values = { user: actor.username, project: creation.name };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.project_created', values);
      return found(await rows.project(id, created));
    });
  }

  updateProject(actor: UserRow, id: number, { id: projectId, ...change }: Update): Promise<Project> {
    return this.#change(actor, id, 'manage_projects', async ({ transaction, rows, organization }) => {
      const before = found(await rows.project(id, projectId));
      const given = Object.fromEntries(
        Object.entries(change).filter(
          ([name, value]) => value !== undefined && value !== before[name as keyof Project],
        ),
      );
      if (Object.keys(given).length === 0) return before;
      await this.#dependencies.managed.rejectRow(transaction, 'project', projectId);
      if (!(await rows.updateProject(projectId, given))) throw new ApiError('projectNameTaken');
      const after = found(await rows.project(id, projectId));
      for (const token of await this.#dependencies.organizationTokens.within(transaction).idsOfProject(projectId))
        transaction.changed(`token:${token}`);
      const values = { user: actor.username, project: after.name, fields: Object.keys(given).join(', ') };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.project_updated', values);
      return after;
    });
  }

  /** A project with API tokens cannot be deleted, because they would lose its limits. */
  removeProject(actor: UserRow, id: number, projectId: number): Promise<void> {
    return this.#change(actor, id, 'manage_projects', async ({ transaction, rows, organization }) => {
      const { name, tokens } = found(await rows.project(id, projectId));
      await this.#dependencies.managed.rejectRow(transaction, 'project', projectId);
      if (tokens > 0) throw new ApiError('hasTokens');
      await rows.removeProject(projectId);
      const values = { user: actor.username, project: name };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.project_deleted', values);
    });
  }

  async serviceAccounts(actor: UserRow, id: number): Promise<ServiceAccount[]> {
    await this.#dependencies.access.require(actor, id, 'see_tokens');
    return this.#dependencies.projects.serviceAccounts(id);
  }

  createServiceAccount(actor: UserRow, id: number, name: string): Promise<ServiceAccount> {
    return this.#change(actor, id, 'manage_service_accounts', async ({ transaction, rows, organization }) => {
      if ((await rows.serviceAccounts(id)).length >= maxServiceAccounts)
        throw new ApiError('tooManyProjects', { limit: String(maxServiceAccounts) });
      const created = await rows.insertServiceAccount(id, name);
      if (created === undefined) throw new ApiError('projectNameTaken');
      const values = { user: actor.username, account: name };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.service_account_created',
        values,
      );
      return found(await rows.serviceAccount(id, created));
    });
  }

  removeServiceAccount(actor: UserRow, id: number, account: number): Promise<void> {
    return this.#change(actor, id, 'manage_service_accounts', async ({ transaction, rows, organization }) => {
      const { name, tokens } = found(await rows.serviceAccount(id, account));
      if (tokens > 0) throw new ApiError('hasTokens');
      await rows.removeServiceAccount(account);
      const values = { user: actor.username, account: name };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.service_account_deleted',
        values,
      );
    });
  }

  #change<T>(
    actor: UserRow,
    id: number,
    permission: OrganizationPermission,
    work: (work: Work) => Promise<T>,
  ): Promise<T> {
    const { access, projects, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, permission);
      return work({ transaction, rows: projects.within(transaction), organization });
    });
  }
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('notFound');
  return row;
}
