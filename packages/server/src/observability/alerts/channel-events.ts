import type { AlertEvent } from './alert-event.ts';

interface ChannelChange {
  readonly id: number;
  readonly channel: string;
  readonly isEnabled: boolean;
  readonly reason: string;
}

/** A channel was disabled or revived by itself. */
export const channelEvent = ({ id, channel, isEnabled, reason }: ChannelChange): AlertEvent => ({
  kind: isEnabled ? 'channel_enabled' : 'channel_disabled',
  subject: `channel:${id}`,
  channel: id,
  page: `/channel/edit/${id}`,
  values: { id, channel, ...(!isEnabled && { reason }) },
});
