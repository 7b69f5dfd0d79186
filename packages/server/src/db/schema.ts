import type { Generated } from 'kysely';

/** Columns carry the wire's names, so that a row is an entity without a mapping in between. */
export interface Schema {
  users: UserTable;
  sessions: SessionTable;
  options: OptionTable;
}

interface UserTable {
  id: Generated<number>;
  username: string;
  display_name: string;
  /** Argon2id in PHC notation; null: no password login. */
  password_hash: string | null;
  role: number;
  status: number;
  /** Absent identities are null, never empty: unique indexes then ignore them. */
  email: string | null;
  github_id: string | null;
  wechat_id: string | null;
  lark_id: string | null;
  oidc_id: string | null;
  quota: number;
  used_quota: number;
  request_count: number;
  group: string;
  aff_code: string | null;
  inviter_id: number;
  created_time: number;
}

interface SessionTable {
  /** SHA-256 of the id in the cookie: a copy of the table opens no session. */
  id_hash: string;
  user_id: number;
  created_time: number;
  seen_time: number;
  address: string;
  user_agent: string;
}

interface OptionTable {
  key: string;
  value: string;
}
