import { isOptionKey, optionRow } from '@headgate/contract';
import type { TableName } from '../../platform/db/rows.ts';

export type StoredRow = Readonly<Record<string, unknown>>;

export interface ArchivedTable {
  /** Columns that are encrypted with the secret key, except for empty texts. */
  readonly sealed?: readonly string[];
  readonly isSealed?: (row: StoredRow) => boolean;
  /** On PostgreSQL, pending changes have to be added to the table; see decision 49. */
  readonly isTotal?: true;
  /** Column with the time of a log. */
  readonly time?: string;
  /** True for rows that are specific to this database and not exported. */
  readonly isLeft?: (row: StoredRow) => boolean;
  /** True if an unused gateway may already have rows in the table. */
  readonly isFilledAtStart?: true;
}

/** Reason why a table is not exported. */
interface ExcludedTable {
  readonly left: string;
}

const isSecretOption = ({ key }: StoredRow): boolean =>
  typeof key === 'string' && isOptionKey(key) && optionRow(key).control === 'secret';

/**
 * Each database has its own key check, fingerprint key and id, and rolls up its logs separately; `option_changes` is a
 * lock.
 */
const ownMeta: ReadonlySet<unknown> = new Set([
  ...(['secret_check', 'fingerprint_key', 'database_id', 'option_changes', 'rolled_up_log'] as const),
]);

const pendingChanges = { left: 'is part of the totals in the file' };
const signInState = { left: 'users log in again, and revoked sessions must not come back' };
const rolledUp = { left: 'is rebuilt from the logs' };
const storedHere = { left: 'expires, and can be decrypted only by its own gateway' };
const ofNodes = { left: 'belongs to the running processes of a database' };

/** All tables in insertion order: referenced tables come first. */
const tables: Readonly<Record<TableName, ArchivedTable | ExcludedTable>> = {
  users: { isTotal: true, isFilledAtStart: true },
  options: { sealed: ['value'], isSealed: isSecretOption },
  meta: { isLeft: ({ key }) => ownMeta.has(key), isFilledAtStart: true },
  organizations: {},
  organization_members: {},
  former_members: {},
  organization_invitations: {},
  projects: {},
  service_accounts: {},
  tokens: { sealed: ['key_sealed'], isTotal: true },
  managed_accounts: {},
  scim_tokens: {},
  directory_users: {},
  directory_groups: {},
  directory_group_members: {},
  directory_disabled_tokens: {},
  sso_providers: { sealed: ['secret_sealed'] },
  sso_provider_roles: {},
  sso_identities: {},
  sso_domains: {},
  jwt_issuers: {},
  jwt_issuer_values: {},
  redemptions: { sealed: ['key_sealed'] },
  redemption_uses: {},
  channels: { sealed: ['key_sealed', 'config_sealed', 'rules'], isTotal: true },
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
  check_ins: {},
  orders: {},
  subscriptions: {},
  credit_notes: {},
  plans: {},
  user_plans: {},
  referral_shares: {},
  referral_withdrawals: { sealed: ['details'] },
  payment_callbacks: {},
  limit_rules: {},
  limit_uses: { isFilledAtStart: true },
  routing_rules: {},
  model_aliases: {},
  alert_receivers: { sealed: ['settings_sealed'] },
  alert_rules: {},
  log_exports: { sealed: ['settings_sealed'] },
  alert_claims: {},
  alert_queue: {},
  alert_minutes: { isFilledAtStart: true },
  incidents: {},
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

  sessions: signInState,
  tickets: signInState,
  codes: signInState,
  kept_bodies: { left: 'has to be deleted by a given time, and can be decrypted only by its own gateway' },
  stored_responses: storedHere,
  stored_response_items: storedHere,
  charge_journal: { left: 'is applied to the tables before they are read' },
  balance_changes: pendingChanges,
  budget_changes: pendingChanges,
  usage_hours: rolledUp,
  usage_days: rolledUp,
  site_hours: rolledUp,
  latency_hours: rolledUp,
  served_latency_hours: rolledUp,
  tag_hours: rolledUp,
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

export const archivedTables = tableNames.filter((name) => archivedTable(name) !== undefined);
