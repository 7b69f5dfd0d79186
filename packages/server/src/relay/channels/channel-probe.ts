import { probeChannel, RelayError, type UpstreamServices } from '@headgate/relay';
import type { ChannelProbe } from '../../channels/channel-test-service.ts';
import { canRelay, relayChannelOf } from './channel-table.ts';
import { isKeyRejection } from './key-rejection.ts';

const patienceMs = 30_000;

/** Tests a channel over the relay's own connections. */
export const channelProbe = (upstreamServices: UpstreamServices): ChannelProbe => ({
  canTest: (channel) => canRelay(channel),
  ask: async (channel, model) => {
    try {
      return await probeChannel(upstreamServices, relayChannelOf(channel), model, AbortSignal.timeout(patienceMs));
    } catch (error) {
      if (error instanceof RelayError) return { failure: error.message, isRefusal: isKeyRejection(error) };
      throw error;
    }
  },
});
