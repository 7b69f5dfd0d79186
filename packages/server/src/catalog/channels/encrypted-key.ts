import { type ChannelKey, channelStatus } from '@headgate/contract';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ChannelKeyRow, NewChannelKey } from './channel-key-repository.ts';
import type { ChannelRow } from './channel-repository.ts';

const hintLength = 4;
/** A hint would reveal too much of a shorter key. */
const shortestHinted = 12;

/** The last characters of a key, to distinguish keys. */
const hintOf = (key: string): string => (key.length < shortestHinted ? '' : key.slice(-hintLength));

/** Key for API responses. */
export function presentKey(row: ChannelKeyRow, box: SecretBox, cooldownMs: number): ChannelKey {
  const { key_sealed, key_fingerprint: _fingerprint, channel_id: _channel, ...rest } = row;
  return {
    ...rest,
    hint: hintOf(box.openIfReadable(key_sealed) ?? ''),
    cooldown_seconds: Math.ceil(cooldownMs / 1000),
  };
}

/** State of a single key, which has no row: that of its channel. */
export const singleKeyState = (row: ChannelRow) => ({
  id: 0,
  weight: 1,
  cost_percent: 100,
  created_time: row.created_time,
  used_time: 0,
  request_count: 0,
  failure_count: row.failure_count,
  failure_time: row.failure_time,
  failure_reason: row.failure_reason,
  failure_message: row.failure_message,
  failure_status: row.failure_status,
  test_time: row.test_time,
  response_time: row.response_time,
});

/** A single key, presented like a stored key. */
export const presentSingleKey = (row: ChannelRow, box: SecretBox): ChannelKey => ({
  ...singleKeyState(row),
  hint: hintOf(box.openIfReadable(row.key_sealed) ?? ''),
  status: row.status,
  status_reason: row.status_reason,
  cooldown_seconds: 0,
});

/** Name of a key for logs. */
export const keyLabel = (row: Pick<ChannelKeyRow, 'id' | 'key_sealed'>, box: SecretBox): string => {
  const hint = hintOf(box.openIfReadable(row.key_sealed) ?? '');
  return hint === '' ? `#${row.id}` : `…${hint} (#${row.id})`;
};

export const newKeyRow = (channelId: number, key: string, box: SecretBox): NewChannelKey => ({
  channel_id: channelId,
  key_sealed: box.seal(key),
  key_fingerprint: box.fingerprint(key),
  weight: 1,
  status: channelStatus.enabled,
  created_time: nowInSeconds(),
});
