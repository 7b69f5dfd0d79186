import { probeChannel, type UpstreamServices } from '@headgate/relay';
import type { ChannelProbe } from '../../catalog/channels/channel-probe.ts';
import { canRelay, toRelayChannel } from './channel-table.ts';
import { failureReasonOf } from './failure-reason.ts';
import { isKeyRejection } from './key-rejection.ts';

const probeTimeoutMs = 30_000;

/** Tests a channel over the relay's own connections. */
export const channelProbe = (
  upstreamServices: UpstreamServices,
  unpricedFieldsAllowed: () => readonly string[],
): ChannelProbe => ({
  canTest: (channel) => canRelay(channel),
  send: async (channel, model) => {
    const relayed = toRelayChannel(channel);
    const answer = await probeChannel(upstreamServices, relayed, model, {
      signal: AbortSignal.timeout(probeTimeoutMs),
      unpricedFieldsAllowed: unpricedFieldsAllowed(),
    });
    if (typeof answer === 'string') return answer;
    const { status, error } = answer;
    return { status, message: error.message, reason: failureReasonOf(answer), isRejection: isKeyRejection(error) };
  },
});
