import type { ChannelStep } from '../../catalog/pauses/channel-step.ts';
import type { AlertEvent } from './alert-event.ts';
import { channelEvent } from './channel-events.ts';

const isBack: ReadonlySet<ChannelStep['kind']> = new Set([
  'channel_enabled',
  'channel_resumed',
  'model_resumed',
  'key_enabled',
]);

/** What became of a channel, or of a model or a key of it, as people are told. */
export function stepEvent({ kind, model, key, channel, id, reason }: ChannelStep): AlertEvent {
  const isEnabled = isBack.has(kind);
  const part = key === undefined ? model : `key ${key}`;
  if (part === '') return channelEvent({ id, channel, isEnabled, reason });
  const event = channelEvent({ id, channel: `${channel}: ${part}`, isEnabled, reason });
  const subject = `${event.subject}:${part}`;
  return key === undefined ? { ...event, subject } : { ...event, subject, values: { ...event.values, key } };
}
