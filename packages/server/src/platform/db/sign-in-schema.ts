import type { Generated } from 'kysely';

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
