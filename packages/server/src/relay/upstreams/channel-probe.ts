import { probeChannel, type UpstreamServices } from '@headgate/relay';
import type { ChannelProbe } from '../../catalog/channels/channel-probe.ts';
import { canRelay, relayChannelOf } from './channel-table.ts';
import { failureReasonOf } from './failure-reason.ts';
import { isKeyRejection } from './key-rejection.ts';

const patienceMs = 30_000;

/** Tests a channel over the relay's own connections. */
export const channelProbe = (upstreamServices: UpstreamServices): ChannelProbe => ({
  canTest: (channel) => canRelay(channel),
  send: async (channel, model) => {
    const relayed = relayChannelOf(channel);
    const answer = await probeChannel(upstreamServices, relayed, model, AbortSignal.timeout(patienceMs));
    if (typeof answer === 'string') return answer;
    const { status, error } = answer;
    return { status, message: error.message, reason: failureReasonOf(answer), isRejection: isKeyRejection(error) };
  },
});
