import { type Channel, channelStatus } from '@headgate/contract';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { formatSeconds } from './channel-facts.ts';
import { channelList, removeChannel, testChannel, updateBalance, updateChannel } from './channel-queries.ts';

const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** Optimistic; reverted with the reason if the server rejects it. */
export function useToggleChannelStatus() {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  const opposite = ({ status }: Channel) =>
    status === channelStatus.enabled ? channelStatus.disabled : channelStatus.enabled;
  return useMutation({
    mutationFn: (channel: Channel) => updateChannel({ id: channel.id, status: opposite(channel) }),
    onMutate: (channel) => cache.patch(channel.id, { status: opposite(channel), status_reason: '' }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onError: (_, { id, status, status_reason }) => cache.patch(id, { status, status_reason }),
    onSettled: cache.refresh,
  });
}

interface NumberChange {
  readonly channel: Channel;
  readonly change: { readonly priority: number } | { readonly weight: number };
}

/** Optimistic; reverted with the reason if the server rejects it. */
export function useNumberChange() {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  return useMutation({
    mutationFn: ({ channel, change }: NumberChange) => updateChannel({ id: channel.id, ...change }),
    onMutate: ({ channel, change }) => cache.patch(channel.id, change),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onError: (_, { channel: { id, priority, weight }, change }) =>
      cache.patch(id, 'priority' in change ? { priority } : { weight }),
    onSettled: cache.refresh,
  });
}

export function useRemove() {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  return useMutation({
    mutationFn: (channel: Channel) => removeChannel(channel.id),
    onSuccess: (_, channel) => {
      cache.remove(channel.id);
      showMessage('success', t('Operation completed successfully'));
    },
    onSettled: cache.refresh,
  });
}

interface Test {
  readonly channel: Channel;
  readonly model: string;
}

const testKey = [channelList, 'test'];

/** A failed test returns only the reason, so the channel is refetched. */
export function useTest() {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  return useMutation({
    mutationKey: testKey,
    mutationFn: ({ channel, model }: Test) => testChannel(channel.id, model),
    onSuccess: ({ seconds, model }, { channel }) => {
      cache.patch(channel.id, {
        response_time: Math.max(Math.round(seconds * 1000), 1),
        test_time: nowInSeconds(),
        test_reason: '',
        is_failing: false,
      });
      const values = { name: channel.name || `#${channel.id}`, model, time: formatSeconds(seconds) };
      showMessage('success', t('Channel {name} test passed: {model} responded in {time}', values));
    },
    onSettled: cache.refresh,
  });
}

/** Ids of channels with a running test, including tests that were started before leaving the page. */
export const useRunningTests = (): readonly number[] =>
  useMutationState({
    filters: { mutationKey: testKey, status: 'pending' },
    select: ({ state }) => (state.variables as Test).channel.id,
  });

export function useBalanceUpdate() {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  return useMutation({
    mutationFn: (channel: Channel) => updateBalance(channel.id),
    onSuccess: (balance, channel) => {
      cache.patch(channel.id, { balance, balance_updated_time: nowInSeconds() });
      showMessage('success', t('Balance of {name} updated', { name: channel.name || `#${channel.id}` }));
    },
  });
}
