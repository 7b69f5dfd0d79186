import type { LogReason } from '@headgate/contract';
import type { Generated } from 'kysely';

/** One of the keys of a channel with several keys. */
export interface ChannelKeyTable {
  id: Generated<number>;
  channel_id: number;
  key_sealed: string;
  /** Identifies the key; unique within the channel. */
  key_fingerprint: string;
  weight: number;
  /** Same values as `channels.status`. */
  status: number;
  status_reason: Generated<string>;
  created_time: number;
  used_time: Generated<number>;
  request_count: Generated<number>;
  failure_count: Generated<number>;
  failure_time: Generated<number>;
  failure_reason: Generated<LogReason | ''>;
  failure_message: Generated<string>;
  failure_status: Generated<number>;
  test_time: Generated<number>;
  response_time: Generated<number>;
}
