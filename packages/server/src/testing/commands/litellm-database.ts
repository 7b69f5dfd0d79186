import { createHash } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts';

/** Tables as LiteLLM's migrations create them, without the columns and constraints that do not matter here. */
const tables: Readonly<Record<string, string>> = {
  LiteLLM_BudgetTable: `budget_id text primary key, max_budget double precision, soft_budget double precision,
    max_parallel_requests integer, tpm_limit bigint, rpm_limit bigint, model_max_budget jsonb, budget_duration text,
    budget_reset_at timestamp(3), created_at timestamp(3) not null default now()`,
  LiteLLM_ProxyModelTable: `model_id text primary key, model_name text not null, litellm_params jsonb not null,
    model_info jsonb, blocked boolean not null default false, created_at timestamp(3) not null default now()`,
  LiteLLM_TeamTable: `team_id text primary key, team_alias text, organization_id text, members text[],
    members_with_roles jsonb not null default '{}', metadata jsonb not null default '{}', max_budget double precision,
    spend double precision not null default 0, models text[], max_parallel_requests integer, tpm_limit bigint,
    rpm_limit bigint, budget_duration text, budget_reset_at timestamp(3), blocked boolean not null default false,
    model_max_budget jsonb not null default '{}', created_at timestamp(3) not null default now()`,
  LiteLLM_UserTable: `user_id text primary key, user_alias text, team_id text, sso_user_id text, organization_id text,
    password text, teams text[] default array[]::text[], user_role text, max_budget double precision,
    spend double precision not null default 0, user_email text, models text[], metadata jsonb not null default '{}',
    max_parallel_requests integer, tpm_limit bigint, rpm_limit bigint, budget_duration text,
    budget_reset_at timestamp(3), model_max_budget jsonb not null default '{}', created_at timestamp(3) default now()`,
  LiteLLM_VerificationToken: `token text primary key, key_name text, key_alias text,
    spend double precision not null default 0, expires timestamp(3), models text[],
    aliases jsonb not null default '{}', config jsonb not null default '{}', user_id text, team_id text,
    project_id text, permissions jsonb not null default '{}', max_parallel_requests integer,
    metadata jsonb not null default '{}', blocked boolean, tpm_limit bigint, rpm_limit bigint,
    max_budget double precision, budget_duration text, budget_reset_at timestamp(3),
    allowed_routes text[] default array[]::text[], model_max_budget jsonb not null default '{}', budget_id text,
    organization_id text, created_at timestamp(3) default now(), last_active timestamp(3)`,
  LiteLLM_OrganizationTable: `organization_id text primary key, organization_alias text not null, budget_id text,
    metadata jsonb not null default '{}', models text[], spend double precision not null default 0,
    model_spend jsonb not null default '{}', created_at timestamp(3) not null default now()`,
  LiteLLM_OrganizationMembership: `user_id text not null, organization_id text not null, user_role text,
    spend double precision default 0, budget_id text, created_at timestamp(3) default now(),
    primary key (user_id, organization_id)`,
  LiteLLM_TeamMembership: `user_id text not null, team_id text not null, spend double precision not null default 0,
    budget_id text, primary key (user_id, team_id)`,
  LiteLLM_CredentialsTable: `credential_id text primary key, credential_name text unique not null,
    credential_values jsonb not null, credential_info jsonb`,
  LiteLLM_SpendLogs: `request_id text primary key, call_type text not null default '', api_key text not null default '',
    spend double precision not null default 0, total_tokens integer not null default 0,
    prompt_tokens integer not null default 0, completion_tokens integer not null default 0,
    "startTime" timestamp(3) not null, "endTime" timestamp(3) not null default now(), request_duration_ms integer,
    "completionStartTime" timestamp(3), model text not null default '', model_group text default '',
    "user" text default '', metadata jsonb default '{}', team_id text, status text, messages jsonb default '{}',
    response jsonb default '{}', request_tags jsonb default '[]', end_user text`,
};

/** Hash under which LiteLLM stores a key. */
export const litellmHash = (key: string): string => createHash('sha256').update(key).digest('hex');

type Cell = string | number | boolean | null | readonly string[] | object;

/** A database of LiteLLM, which supports PostgreSQL only. */
export class LitellmDatabase {
  readonly path: string;
  readonly #client: pg.Client;
  readonly #database: TestDatabase;

  private constructor(path: string, client: pg.Client, database: TestDatabase) {
    this.path = path;
    this.#client = client;
    this.#database = database;
  }

  static async create(): Promise<LitellmDatabase> {
    const database = await createTestDatabase('postgres');
    const path = database.location.databaseUrl ?? '';
    const client = new pg.Client({ connectionString: path });
    await client.connect();
    for (const [name, columns] of Object.entries(tables)) await client.query(`create table "${name}" (${columns})`);
    return new LitellmDatabase(path, client, database);
  }

  async add(table: string, ...rows: readonly Readonly<Record<string, Cell>>[]): Promise<this> {
    for (const row of rows) {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const parameters = columns.map((_, index) => `$${index + 1}`);
      await this.#client.query(
        `insert into "LiteLLM_${table}" (${columns.join(', ')}) values (${parameters.join(', ')})`,
        Object.values(row),
      );
    }
    return this;
  }

  async run(sql: string): Promise<void> {
    await this.#client.query(sql);
  }

  /** A virtual key, given in plain text. */
  addKey(key: string, row: Readonly<Record<string, Cell>> = {}): Promise<this> {
    return this.add('VerificationToken', { token: litellmHash(key), key_name: `sk-...${key.slice(-4)}`, ...row });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
    await this.#database.drop();
  }
}
