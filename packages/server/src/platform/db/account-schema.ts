import type { BudgetKind, WindowPeriod } from '@headgate/contract';
import type { Generated } from 'kysely';

/** Spending limit per day, week, month or in total, or a window of a user's plan. */
export interface BudgetTable {
  id: Generated<number>;
  owner_kind: BudgetKind | 'plan';
  /** Id of the token, user or user plan; 0 for a group. */
  owner_id: number;
  /** Name of the group; empty for tokens and users. */
  owner_group: string;
  amount: number;
  period: WindowPeriod;
  /** Length of a rolling window of a plan; otherwise 0. */
  hours: Generated<number>;
  time_zone: string;
  enabled: number;
  note: string;
  /** 1: set by a gateway admin; the organization cannot change it. */
  is_admin_set: Generated<number>;
  created_time: number;
}

/** Quota charged to a budget by requests that started in one of its periods. Kept after the budget is deleted. */
export interface BudgetPeriodTable {
  id: Generated<number>;
  budget_id: number;
  /** First second of the period. */
  start_time: number;
  used: Generated<number>;
  /** Highest usage threshold, in percent, for which a notification was sent. */
  noticed: Generated<number>;
}

/** PostgreSQL only: charges to budget periods that are not in `budget_periods` yet; see decision 49. */
export interface BudgetChangeTable {
  period_id: number;
  quota: number;
}

/** Tables for signing in. */
export interface SignInTables {
  codes: CodeTable;
  tickets: TicketTable;
  authenticators: AuthenticatorTable;
  backup_codes: BackupCodeTable;
  passkeys: PasskeyTable;
  access_tokens: AccessTokenTable;
}

interface AccessTokenTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  scope: string;
  key_hash: string;
  created_time: number;
  /** -1: never. */
  expired_time: number;
  used_time: Generated<number>;
}

interface AuthenticatorTable {
  user_id: number;
  secret_sealed: string;
  /** Time step of the last used code. */
  last_step: number;
}

interface BackupCodeTable {
  user_id: number;
  code_hash: string;
}

interface PasskeyTable {
  /** Credential id in base64url. */
  id: string;
  user_id: number;
  public_key: string;
  counter: number;
  transports: string;
  name: string;
  created_time: number;
  used_time: number;
}

/** Codes sent by email to verify an address. */
interface CodeTable {
  purpose: string;
  address: string;
  code_hash: string;
  expires_time: number;
  attempts: number;
}

/** Unfinished sign-ins, and used one-time values. */
interface TicketTable {
  ticket_hash: string;
  purpose: string;
  browser_hash: string;
  user_id: number;
  detail_sealed: string;
  expires_time: number;
}

/** API token of a user. */
export interface TokenTable {
  id: Generated<number>;
  user_id: number;
  key_hash: string;
  key_sealed: string;
  status: number;
  name: string;
  created_time: number;
  accessed_time: number;
  expired_time: number;
  remain_quota: number;
  unlimited_quota: number;
  used_quota: number;
  models: string;
  subnet: string;
  note: Generated<string>;
  groups: Generated<string>;
  dialects: Generated<string>;
  endpoints: Generated<string>;
  /** Tags of all requests of the token. */
  fixed_tags: Generated<string>;
  /** Channels that an admin bound the token to. */
  channels: Generated<string>;
  tags: Generated<string>;
  /** Hash of the previous key; empty if it no longer works. */
  old_key_hash: Generated<string>;
  old_key_until: Generated<number>;
  /** 1 if an admin has disabled the token. */
  is_locked: Generated<number>;
  lock_reason: Generated<string>;
  /** Organization member who uses the token; 0 for a user's own token or one of a service account. */
  creator_id: Generated<number>;
  project_id: Generated<number>;
  service_account_id: Generated<number>;
}
