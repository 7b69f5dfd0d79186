import { type Channel, channelKeyApi, type Input } from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { channelList, updateChannel } from '../channel-queries.ts';

export const keysQuery = (id: number) =>
  queryOptions({
    queryKey: [channelList, 'keys', id],
    queryFn: ({ signal }) => call(channelKeyApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

type KeyChange = Input<typeof channelKeyApi.update>['body'];

/** Mutations of a channel's keys; each refetches the list. */
export function useKeyChanges(id: number) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [channelList] });
  const params = { id };
  return {
    add: useMutation({
      mutationFn: (keys: string) => call(channelKeyApi.add, { params, body: { keys } }),
      onSuccess: ({ added, duplicates }) => {
        if (added > 0) showMessage('success', t('{count} keys added', { count: added }));
        if (duplicates > 0) showMessage('warning', t('{count} keys skipped (already added)', { count: duplicates }));
      },
      onSettled,
    }),
    change: useMutation({
      mutationFn: (body: KeyChange) => call(channelKeyApi.update, { params, body }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (ids: readonly number[]) => call(channelKeyApi.remove, { params, body: { ids: [...ids] } }),
      onSuccess: (count) => showMessage('success', t('{count} keys removed', { count })),
      onSettled,
    }),
    choose: useMutation({
      mutationFn: (key_strategy: Channel['key_strategy']) =>
        updateChannel({ id, key_strategy: key_strategy as 'round_robin' }),
      onSettled,
    }),
  };
}
export type KeyChanges = ReturnType<typeof useKeyChanges>;
