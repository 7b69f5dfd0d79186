import { type EditableObject, policyMeasures, policyPeriods } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../db/backend.ts';
import type { Database } from '../db/database.ts';
import type { TableName } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import type { Transaction } from '../db/transaction.ts';
import type { EditedRowId } from './edited-row-id.ts';

interface Columns {
  readonly table: TableName;
  readonly columns: readonly string[];
}

/** Rows of another table that are edited with the row. */
interface EditedPart extends Columns {
  readonly of: (id: number) => RawBuilder<unknown>;
}

interface EditedRow extends Columns {
  readonly parts?: readonly EditedPart[];
  /** Columns of the id and, for objects that belong to an organization, of the organization. */
  readonly ofOrganization?: { readonly id: string; readonly organization: string };
}

const edited = <Table extends TableName>(
  table: Table,
  columns: readonly (keyof Schema[Table] & string)[],
): Columns => ({
  table,
  columns,
});

const ofChannel = (id: number) => sql`channel_id = ${id}`;

const tokenColumns = [
  ...(['status', 'name', 'expired_time', 'unlimited_quota', 'models', 'subnet', 'note', 'groups'] as const),
  ...(['dialects', 'endpoints', 'channels', 'tags', 'fixed_tags', 'key_hash'] as const),
] as const;

/** Budgets and limits that the form of a token or user contains. */
const policyParts = (kind: 'token' | 'user', limits: (id: number) => RawBuilder<unknown>): readonly EditedPart[] => [
  {
    ...edited('budgets', ['period', 'amount', 'enabled']),
    of: (id) => sql`owner_kind = ${kind} and owner_id = ${id} and period in (${sql.join([...policyPeriods])})`,
  },
  {
    ...edited('limit_rules', ['measure', 'amount']),
    of: (id) => sql`${limits(id)} and enabled = 1 and "group" = '' and model = '' and channel_id = 0
      and measure in (${sql.join([...policyMeasures])})`,
  },
];

/**
 * Storage and editable columns of each kind. Columns changed by requests, tests and balances are excluded: quotas
 * have their own check (decision 26), and the others are not editable.
 */
const rows: Readonly<Record<EditableObject, EditedRow>> = {
  channel: {
    ...edited('channels', [
      ...(['type', 'status', 'name', 'weight', 'priority', 'base_url', 'other', 'models', 'group'] as const),
      ...(['model_mapping', 'config_sealed', 'system_prompt', 'purchase', 'rules', 'tag', 'key_strategy'] as const),
      ...(['key_fingerprint', 'key_count'] as const),
    ]),
    // A key change replaces all keys of the channel.
    parts: [{ ...edited('channel_keys', ['key_fingerprint']), of: ofChannel }],
  },
  channelKeys: {
    ...edited('channels', ['key_fingerprint', 'key_count']),
    parts: [
      { ...edited('channel_keys', ['id', 'key_fingerprint', 'weight', 'cost_percent', 'status']), of: ofChannel },
    ],
  },
  user: {
    ...edited('users', ['username', 'display_name', 'role', 'status', 'group']),
    parts: policyParts('user', (id) => sql`user_id = ${id} and token_id = 0 and counts_per in ('all', 'user')`),
  },
  token: {
    ...edited('tokens', tokenColumns),
    parts: policyParts('token', (id) => sql`token_id = ${id}`),
  },
  redemption: edited('redemptions', ['status', 'name', 'quota', 'expired_time', 'max_uses', 'plan_id', 'key_hash']),
  limitRule: edited('limit_rules', [
    ...(['token_id', 'user_id', 'group', 'model', 'channel_id', 'measure', 'amount', 'counts_per'] as const),
    ...(['tag', 'note', 'enabled'] as const),
  ]),
  plan: edited('plans', [
    ...(['name', 'description', 'currency', 'price', 'days', 'windows', 'time_zone', 'models', 'groups'] as const),
    ...(['upgrade_group', 'recurring', 'max_per_user', 'enabled', 'sort'] as const),
  ]),
  budget: edited('budgets', ['amount', 'period', 'time_zone', 'enabled', 'note']),
  organization: {
    ...edited('organizations', ['name', 'sso_allowed']),
    parts: [{ ...edited('users', ['status', 'group']), of: (id) => sql`id = ${id}` }],
  },
  organizationMember: {
    ...edited('organization_members', ['role']),
    ofOrganization: { id: 'user_id', organization: 'organization_id' },
  },
  project: {
    ...edited('projects', ['name', 'models', 'fixed_tags', 'status']),
    ofOrganization: { id: 'id', organization: 'organization_id' },
  },
  organizationToken: {
    ...edited('tokens', [...tokenColumns, 'project_id']),
    ofOrganization: { id: 'id', organization: 'user_id' },
  },
  routingRule: edited('routing_rules', [
    ...(['group', 'model', 'strategy', 'affinity', 'fits_window', 'hedge_ms', 'fallbacks'] as const),
    ...(['split_model', 'split_tag', 'split_percent', 'split_own_price'] as const),
    ...(['mirror_model', 'mirror_channel', 'mirror_percent'] as const),
  ]),
  modelAlias: edited('model_aliases', ['pattern', 'model']),
  logExport: edited('log_exports', ['kind', 'name', 'enabled', 'settings_sealed']),
  alertReceiver: edited('alert_receivers', ['kind', 'name', 'language', 'settings_sealed']),
  alertRule: edited('alert_rules', ['kind', 'settings']),
  incident: edited('incidents', ['title', 'text', 'severity', 'models', 'updates', 'start_time', 'end_time']),
};

/** Reads the editable columns of a row of any kind. */
export class EditedRowRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within({ database }: Transaction): EditedRowRepository {
    return new EditedRowRepository(database);
  }

  /** Values in column order, followed by those of its parts; undefined if the row does not exist. */
  async read({ thing, id, within }: EditedRowId): Promise<readonly unknown[] | undefined> {
    const { parts, ofOrganization: names, ...row } = rows[thing];
    const chosen = names
      ? sql`${sql.ref(names.id)} = ${id} and ${sql.ref(names.organization)} = ${within}`
      : sql`id = ${id}`;
    const [values] = await this.#values(row, chosen);
    if (!values) return undefined;
    const ofParts = [];
    for (const { of, ...part } of parts ?? []) ofParts.push(...(await this.#values(part, of(id))));
    return [...values, ...ofParts];
  }

  async #values({ table, columns }: Columns, chosen: RawBuilder<unknown>): Promise<unknown[][]> {
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const query = sql<Record<string, unknown>>`select ${names} from ${sql.table(table)} where ${chosen} order by id`;
    return (await query.execute(this.#database)).rows.map((row) => columns.map((column) => row[column]));
  }

  /**
   * Locks the row until the transaction ends; for objects of an organization, locks the organization, which their
   * changes also lock first. SQLite has a single writer anyway.
   */
  async lock({ thing, id, within }: EditedRowId): Promise<void> {
    if (!isPostgres(this.#database)) return;
    const { table, ofOrganization } = rows[thing];
    const [locked, key] = ofOrganization ? ['organizations', within] : [table, id];
    await sql`select id from ${sql.table(locked)} where id = ${key} for update`.execute(this.#database);
  }
}
