import { isOptionKey, optionRow } from '@headgate/contract';
import type { TableName } from '../../platform/db/rows.ts';

export type StoredRow = Readonly<Record<string, unknown>>;

export interface ArchivedTable {
  /** Columns whose text is sealed with the secret key, and of which rows; an empty text is not. */
  readonly sealed?: readonly string[];
  readonly isSealed?: (row: StoredRow) => boolean;
  /** PostgreSQL may have more to say than the table does: see decision 49. */
  readonly isTotal?: true;
  /** When a log was written. */
  readonly time?: string;
  /** Rows that belong to the database and not to what is in it. */
  readonly isLeft?: (row: StoredRow) => boolean;
  /** A gateway that nobody has used yet may have rows in it. */
  readonly isFilledAtStart?: true;
}

/** Why the rows of a table stay behind. */
interface LeftTable {
  readonly left: string;
}

const isSecretOption = ({ key }: StoredRow): boolean =>
  typeof key === 'string' && isOptionKey(key) && optionRow(key).control === 'secret';

/** Every database writes its own key check, fingerprint key and id, and rolls up logs; `option_changes` is a lock. */
const ownMeta: ReadonlySet<unknown> = new Set([
  ...(['secret_check', 'fingerprint_key', 'database_id', 'option_changes', 'rolled_up_log'] as const),
]);

const unfolded = { left: 'is part of the totals in the file' };
const signedInAnew = { left: 'whoever is signing in begins again; what was ended since must not come back' };
const rolledUp = { left: 'is rebuilt from the logs' };
const storedHere = { left: 'expires, and opens with the key of its gateway alone' };
const ofNodes = { left: 'is about processes that share a database, and ends with them' };

/** Every table there is, in the order in which rows may be written: those that others refer to come first. */
const tables: Readonly<Record<TableName, ArchivedTable | LeftTable>> = {
  users: { isTotal: true, isFilledAtStart: true },
  options: { sealed: ['value'], isSealed: isSecretOption },
  meta: { isLeft: ({ key }) => ownMeta.has(key), isFilledAtStart: true },
  tokens: { sealed: ['key_sealed'], isTotal: true },
  redemptions: { sealed: ['key_sealed'] },
  channels: { sealed: ['key_sealed', 'config_sealed'], isTotal: true },
  channel_keys: { sealed: ['key_sealed'] },
  channel_pauses: {},
  abilities: {},
  authenticators: { sealed: ['secret_sealed'] },
  backup_codes: {},
  passkeys: {},
  access_tokens: {},
  known_identities: { isFilledAtStart: true },
  known_networks: { isFilledAtStart: true },
  budgets: {},
  budget_periods: { isTotal: true },
  prices: {},
  price_changes: {},
  limit_rules: {},
  limit_uses: { isFilledAtStart: true },
  routing_rules: {},
  model_aliases: {},
  alert_receivers: { sealed: ['settings_sealed'] },
  alert_rules: {},
  alert_claims: {},
  alert_queue: {},
  alert_minutes: { isFilledAtStart: true },
  kept_responses: {},
  kept_items: {},
  body_keepings: {},
  bulk_runs: {},
  user_views: {},
  imported_rows: {},
  managed_things: {},
  set_aside_charges: {},
  logs: { time: 'created_at' },
  model_latencies: {},

  sessions: signedInAnew,
  tickets: signedInAnew,
  codes: signedInAnew,
  kept_bodies: { left: 'was promised to be gone by a time, and opens with the key of its gateway alone' },
  stored_responses: storedHere,
  stored_response_items: storedHere,
  charge_journal: { left: 'is brought into the tables before they are read' },
  balance_changes: unfolded,
  budget_changes: unfolded,
  usage_hours: rolledUp,
  usage_days: rolledUp,
  site_hours: rolledUp,
  latency_hours: rolledUp,
  log_names: rolledUp,
  charge_groups: ofNodes,
  leases: ofNodes,
  nodes: ofNodes,
  limit_counts: ofNodes,
};

export const tableNames = Object.keys(tables) as TableName[];

export const archivedTable = (name: string): ArchivedTable | undefined => {
  const found = Object.hasOwn(tables, name) ? tables[name as TableName] : undefined;
  return found && !('left' in found) ? found : undefined;
};

/** Those whose rows are in a file. */
export const archivedTables = tableNames.filter((name) => archivedTable(name) !== undefined);
