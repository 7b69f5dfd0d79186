import type { Generated } from 'kysely';

/** Tables of the ways to prove who somebody is. */
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
  /** The period of the last code that was used. */
  last_step: number;
}

interface BackupCodeTable {
  user_id: number;
  code_hash: string;
}

interface PasskeyTable {
  /** The credential's own, in base64url. */
  id: string;
  user_id: number;
  public_key: string;
  counter: number;
  transports: string;
  name: string;
  created_time: number;
  used_time: number;
}

/** What was mailed to an address to prove that its owner reads it. */
interface CodeTable {
  purpose: string;
  address: string;
  code_hash: string;
  expires_time: number;
  attempts: number;
}

/** A sign-in that has begun and not ended, or something that works once and was used. */
interface TicketTable {
  ticket_hash: string;
  purpose: string;
  browser_hash: string;
  user_id: number;
  detail_sealed: string;
  expires_time: number;
}
