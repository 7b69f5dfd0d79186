import type { ChannelEvent } from '../../catalog/circuit-breaker/channel-event.ts';
import type { AlertEvent } from './alert-event.ts';

const isBack: ReadonlySet<ChannelEvent['kind']> = new Set([
  'channel_enabled',
  'channel_resumed',
  'model_resumed',
  'key_enabled',
]);

/** A channel, model or key was taken out of service or restored. */
export function channelAlertEvent({ kind, model, key, channel, id, reason }: ChannelEvent): AlertEvent {
  const isEnabled = isBack.has(kind);
  const part = key === undefined ? model : `key ${key}`;
  if (part === '') return channelEvent({ id, channel, isEnabled, reason });
  const event = channelEvent({ id, channel: `${channel}: ${part}`, isEnabled, reason });
  const subject = `${event.subject}:${part}`;
  return key === undefined ? { ...event, subject } : { ...event, subject, values: { ...event.values, key } };
}

interface ChannelChange {
  readonly id: number;
  readonly channel: string;
  readonly isEnabled: boolean;
  readonly reason: string;
}

/** A channel was disabled or enabled automatically. */
const channelEvent = ({ id, channel, isEnabled, reason }: ChannelChange): AlertEvent => ({
  kind: isEnabled ? 'channel_enabled' : 'channel_disabled',
  subject: `channel:${id}`,
  channel: id,
  page: `/channel/view/${id}`,
  values: { id, channel, ...(!isEnabled && { reason }) },
});
