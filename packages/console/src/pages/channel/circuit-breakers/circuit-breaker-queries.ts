import { circuitBreakerApi } from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { channelList } from '../channel-queries.ts';

export const circuitBreakersQuery = (id: number) =>
  queryOptions({
    queryKey: [channelList, 'pauses', id],
    queryFn: ({ signal }) => call(circuitBreakerApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** Mutations of pauses; each refetches the list. */
export function useCircuitBreakerChanges(id: number) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [channelList] });
  const params = { id };
  return {
    test: useMutation({
      mutationFn: (model: string) => call(circuitBreakerApi.test, { params, body: { model } }),
      onSuccess: ({ became, message }) =>
        became === 'enabled'
          ? showMessage('success', t('Test passed, back in use'))
          : showMessage('warning', t('Test failed: {reason}', { reason: message })),
      onSettled,
    }),
    end: useMutation({
      mutationFn: (model: string) => call(circuitBreakerApi.end, { params, body: { model } }),
      onSuccess: () => showMessage('success', t('Resumed')),
      onSettled,
    }),
  };
}
export type CircuitBreakerMutations = ReturnType<typeof useCircuitBreakerChanges>;
