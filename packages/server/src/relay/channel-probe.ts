import { type Outside, probeChannel, RelayError } from '@headgate/relay';
import type { ChannelProbe } from '../channels/channel-test-service.ts';
import { isAboutTheKey } from './about-the-key.ts';
import { canRelay, relayChannelOf } from './channel-table.ts';

const patienceMs = 30_000;

/** Tests a channel over the relay's own connections. */
export const channelProbe = (outside: Outside): ChannelProbe => ({
  canTest: (channel) => canRelay(channel),
  ask: async (channel, model) => {
    try {
      return await probeChannel(outside, relayChannelOf(channel), model, AbortSignal.timeout(patienceMs));
    } catch (error) {
      if (error instanceof RelayError) return { failure: error.message, isRefusal: isAboutTheKey(error) };
      throw error;
    }
  },
});
