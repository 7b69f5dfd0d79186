import { listModels, previewRequest, RelayError, readBalance, type UpstreamServices } from '@headgate/relay';
import type { ChannelFields } from '../../catalog/channels/channel-fields.ts';
import type { ChannelUpstream, UpstreamFailureReason } from '../../catalog/channels/channel-upstream-service.ts';
import { toRelayChannel } from './channel-table.ts';

/** Queries providers over the relay's own connections. */
export const channelUpstream = (
  upstreamServices: UpstreamServices,
  unpricedFieldsAllowed: () => readonly string[],
): ChannelUpstream => ({
  balance: (channel) => told(readBalance(upstreamServices, asRelayed(channel))),
  preview: (channel, sample) =>
    failureOf(previewRequest(asRelayed(channel), { ...sample, unpricedFieldsAllowed: unpricedFieldsAllowed() })),
  models: (channel) => told(listModels(upstreamServices, asRelayed(channel))),
});

const asRelayed = (channel: ChannelFields) => toRelayChannel({ id: 0, ...channel });

const told = <T>(asked: Promise<T> | undefined): Promise<T | UpstreamFailureReason> | undefined =>
  asked && failureOf(asked);

function failureOf<T>(asked: Promise<T>): Promise<T | UpstreamFailureReason> {
  return asked.catch((error: unknown) => {
    if (error instanceof RelayError) return { failure: error.message };
    throw error;
  });
}
