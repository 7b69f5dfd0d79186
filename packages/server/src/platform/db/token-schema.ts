import type { Generated } from 'kysely';

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
  /** Channels that an admin bound the token to. */
  channels: Generated<string>;
  tags: Generated<string>;
  /** Hash of the previous key; empty if it no longer works. */
  old_key_hash: Generated<string>;
  old_key_until: Generated<number>;
}
