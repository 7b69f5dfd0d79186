import type { Generated } from 'kysely';

/** A key with which a user's programs call the relay. */
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
  /** What an admin bound it to. */
  channels: Generated<string>;
  tags: Generated<string>;
  /** Of the key before; empty: none works. */
  old_key_hash: Generated<string>;
  old_key_until: Generated<number>;
}
