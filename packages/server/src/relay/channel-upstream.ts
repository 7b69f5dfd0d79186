import { listModels, type Outside, RelayError, readBalance } from '@headgate/relay';
import type { ChannelFields } from '../channels/channel-fields.ts';
import type { ChannelUpstream, UpstreamFailureReason } from '../channels/channel-upstream-service.ts';
import { relayChannelOf } from './channel-table.ts';

/** Asks providers over the relay's own connections. */
export const channelUpstream = (outside: Outside): ChannelUpstream => ({
  balance: (channel) => told(readBalance(outside, asRelayed(channel))),
  models: (channel) => told(listModels(outside, asRelayed(channel))),
});

const asRelayed = (channel: ChannelFields) => relayChannelOf({ id: 0, ...channel });

function told<T>(asked: Promise<T> | undefined): Promise<T | UpstreamFailureReason> | undefined {
  return asked?.catch((error: unknown) => {
    if (error instanceof RelayError) return { failure: error.message };
    throw error;
  });
}
