import type { Project, ServiceAccount } from '@headgate/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';

type ProjectChange = Partial<Pick<Updateable<Schema['projects']>, 'name' | 'models' | 'fixed_tags' | 'status'>>;

/** Projects and service accounts of organizations, with the number of their API tokens. */
export class ProjectRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ProjectRepository {
    return new ProjectRepository(transaction.database);
  }

  /** By name. */
  projects(organizationId: number): Promise<Project[]> {
    return this.#projects(organizationId).orderBy(sql`fold_case(projects.name)`).execute();
  }

  project(organizationId: number, id: number): Promise<Project | undefined> {
    return this.#projects(organizationId).where('projects.id', '=', id).executeTakeFirst();
  }

  /** Organizations of the projects with these ids. */
  async organizationsOf(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await this.#database.selectFrom('projects').select('organization_id').where('id', 'in', ids).execute();
    return [...new Set(rows.map(({ organization_id }) => organization_id))];
  }

  /** Undefined when the name is taken. */
  async insertProject(project: Omit<Insertable<Schema['projects']>, 'id' | 'created_time'>) {
    const row = await this.#database
      .insertInto('projects')
      .values({ ...project, created_time: nowInSeconds() })
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id;
  }

  /** False when the name is taken; the transaction must then be rolled back. */
  async updateProject(id: number, change: ProjectChange): Promise<boolean> {
    if (Object.keys(change).length === 0) return true;
    try {
      await this.#database.updateTable('projects').set(change).where('id', '=', id).execute();
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async removeProject(id: number): Promise<void> {
    await this.#database.deleteFrom('projects').where('id', '=', id).execute();
  }

  /** By name. */
  serviceAccounts(organizationId: number): Promise<ServiceAccount[]> {
    return this.#serviceAccounts(organizationId).orderBy(sql`fold_case(service_accounts.name)`).execute();
  }

  serviceAccount(organizationId: number, id: number): Promise<ServiceAccount | undefined> {
    return this.#serviceAccounts(organizationId).where('service_accounts.id', '=', id).executeTakeFirst();
  }

  /** Undefined when the name is taken. */
  async insertServiceAccount(organizationId: number, name: string): Promise<number | undefined> {
    const row = await this.#database
      .insertInto('service_accounts')
      .values({ organization_id: organizationId, name, created_time: nowInSeconds() })
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id;
  }

  async removeServiceAccount(id: number): Promise<void> {
    await this.#database.deleteFrom('service_accounts').where('id', '=', id).execute();
  }

  #projects(organizationId: number) {
    return this.#database
      .selectFrom('projects')
      .selectAll('projects')
      .select((select) =>
        select
          .selectFrom('tokens')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('tokens.project_id', '=', 'projects.id')
          .where('tokens.user_id', '=', organizationId)
          .$asScalar()
          .$notNull()
          .as('tokens'),
      )
      .where('projects.organization_id', '=', organizationId);
  }

  #serviceAccounts(organizationId: number) {
    return this.#database
      .selectFrom('service_accounts')
      .selectAll('service_accounts')
      .select((select) =>
        select
          .selectFrom('tokens')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('tokens.service_account_id', '=', 'service_accounts.id')
          .where('tokens.user_id', '=', organizationId)
          .$asScalar()
          .$notNull()
          .as('tokens'),
      )
      .where('service_accounts.organization_id', '=', organizationId);
  }
}
