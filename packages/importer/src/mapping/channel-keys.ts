import { createHash } from 'node:crypto';
import { channelStatus } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { SourceRow } from '../source/source.ts';
import { integerOf, objectOf, textOf } from '../source/source-values.ts';

export interface ChannelKey {
  readonly key: string;
  /** Of itself, whatever its channel's. */
  readonly status: number;
  /** Tells it from the others of the same channel; empty for the only one. */
  readonly mark: string;
}

/** The keys of a channel with the status of each: a channel of new-api may have several, one in each line or in a list. */
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

/** Whoever is neither on nor switched off by somebody was switched off by the gateway, or by nobody knows whom. */
export function channelStatusOf(row: SourceRow): number {
  const status = integerOf(row, 'status');
  return status === channelStatus.enabled || status === channelStatus.disabledByMonitor
    ? status
    : channelStatus.disabled;
}

/** Documents of several lines come as a list. */
function keysIn(text: string): readonly string[] {
  if (text.startsWith('[')) {
    // Not an array: lines that begin with a bracket.
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

/** Of what is up only when both are. */
export const worse = (ofChannel: number, ofKey: number): number =>
  ofChannel === channelStatus.enabled ? ofKey : ofChannel;
