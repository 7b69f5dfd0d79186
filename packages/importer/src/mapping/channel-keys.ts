import { createHash } from 'node:crypto';
import { channelStatus, type KeyStrategy } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { SourceRow } from '../source/source.ts';
import { integerOf, objectOf, textOf } from '../source/source-values.ts';

export interface ChannelKey {
  readonly key: string;
  /** Status of the key, independent of the channel's status. */
  readonly status: number;
  /** Unique within the channel; empty if the channel has a single key. */
  readonly mark: string;
}

/** Keys of a channel with their status. A new-api channel may have several keys, as lines or as a JSON array. */
export function channelKeys(row: SourceRow): readonly ChannelKey[] {
  const text = textOf(row, 'key').trim();
  const about = objectOf(row, 'channel_info') ?? {};
  if (about['is_multi_key'] !== true) return [{ key: text, status: channelStatus.enabled, mark: '' }];
  const states = statesOf(about['multi_key_status_list']);
  const keys = keysIn(text).map((key, index) => ({
    key,
    status: stateOf(states[index]),
    mark: createHash('sha256').update(key).digest('hex').slice(0, 16),
  }));
  return [...new Map(keys.filter(({ key }) => key !== '').map((each) => [each.mark, each])).values()];
}

/** new-api selects the keys of a channel at random or in turn. */
export const keyStrategyOf = (row: SourceRow): KeyStrategy =>
  objectOf(row, 'channel_info')?.['multi_key_mode'] === 'random' ? 'random' : 'round_robin';

/** Unknown statuses are imported as disabled. */
export function channelStatusOf(row: SourceRow): number {
  const status = integerOf(row, 'status');
  return status === channelStatus.enabled || status === channelStatus.disabledByMonitor
    ? status
    : channelStatus.disabled;
}

/** Multi-line keys, such as JSON documents, are stored as a JSON array. */
function keysIn(text: string): readonly string[] {
  if (text.startsWith('[')) {
    // The text may also be plain lines, the first of which starts with a bracket.
    const parsed = parseJson(text);
    if (Array.isArray(parsed)) return parsed.map((key) => (typeof key === 'string' ? key.trim() : JSON.stringify(key)));
  }
  return text.split('\n').map((line) => line.trim());
}

const statesOf = (list: unknown): Readonly<Record<string, unknown>> =>
  typeof list === 'object' && list !== null ? (list as Readonly<Record<string, unknown>>) : {};

function stateOf(ofKey: unknown = channelStatus.enabled): number {
  return ofKey === channelStatus.enabled || ofKey === channelStatus.disabledByMonitor ? ofKey : channelStatus.disabled;
}

/** Enabled only if both the channel and the key are enabled. */
export const combinedStatus = (ofChannel: number, ofKey: number): number =>
  ofChannel === channelStatus.enabled ? ofKey : ofChannel;
