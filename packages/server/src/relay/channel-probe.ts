import { probeChannel, RelayError, type Upstreams } from '@headgate/relay';
import type { ChannelProbe } from '../channels/channel-test-service.ts';
import { canRelay, relayChannelOf } from './channel-table.ts';

const patienceMs = 30_000;

/** Tests a channel over the relay's own connections. */
export const channelProbe = (upstreams: Upstreams): ChannelProbe => ({
  canTest: (channel) => canRelay(channel),
  ask: async (channel, model) => {
    try {
      return await probeChannel(upstreams, relayChannelOf(channel), model, AbortSignal.timeout(patienceMs));
    } catch (error) {
      if (error instanceof RelayError) return { failure: error.message, isRefusal: isAboutTheKey(error) };
      throw error;
    }
  },
});

/** Whole phrases of providers about a key or an account; a stray "credit" or "balance" says nothing. */
const finalWords = [
  'invalid_api_key',
  'account_deactivated',
  'insufficient_quota',
  'authentication_error',
  'permission_error',
  'your access was terminated',
  'your credit balance is too low',
  'organization has been disabled',
  'organization has been restricted',
  'api key not valid',
  'api key expired',
  'incorrect api key',
  '已欠费',
] as const;

function isAboutTheKey({ type, code, message }: RelayError): boolean {
  const said = `${type} ${code} ${message}`.toLowerCase();
  return finalWords.some((words) => said.includes(words));
}
