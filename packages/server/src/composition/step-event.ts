import type { AlertEvent } from '../alerts/alert-event.ts';
import { channelEvent } from '../alerts/channel-events.ts';
import type { ChannelStep } from '../pauses/channel-step.ts';

const isBack: ReadonlySet<ChannelStep['kind']> = new Set(['channel_enabled', 'channel_resumed', 'model_resumed']);

/** What became of a channel or of a model of it, as people are told. */
export function stepEvent({ kind, model, channel, id, reason }: ChannelStep): AlertEvent {
  const isEnabled = isBack.has(kind);
  if (model === '') return channelEvent({ id, channel, isEnabled, reason });
  const event = channelEvent({ id, channel: `${channel}: ${model}`, isEnabled, reason });
  return { ...event, subject: `${event.subject}:${model}` };
}
