import { type AlertState, alertApi, type Input } from '@headgate/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { call, callForNothing, callList } from '../../lib/call.ts';
import { showMessage } from '../../lib/messages.ts';

const alerts = 'alerts';
const lookAgainMs = 15_000;
export const historySize = 20;

export const receiversQuery = queryOptions({
  queryKey: [alerts, 'receivers'],
  queryFn: ({ signal }) => call(alertApi.receivers, {}, { signal }),
  staleTime: 0,
});

export const rulesQuery = queryOptions({
  queryKey: [alerts, 'rules'],
  queryFn: ({ signal }) => call(alertApi.rules, {}, { signal }),
  staleTime: 0,
});

export const historyQuery = (p: number, state: AlertState | undefined) =>
  queryOptions({
    queryKey: [alerts, 'history', p, state],
    queryFn: ({ signal }) =>
      callList(alertApi.history, { query: { p, size: historySize, ...(state && { state }) } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
    staleTime: 0,
  });

type NewReceiver = Input<typeof alertApi.addReceiver>['body'];
export type RuleBody = Input<typeof alertApi.addRule>['body'];

/** What can be done with receivers and rules; all of it is read again after each. */
export function useAlertChanges() {
  const { t } = useWords();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [alerts] });
  const said = (words: string) => () => showMessage('success', words);
  return {
    saveReceiver: useMutation({
      mutationFn: ({ id, body: { kind, ...rest } }: { id: number | undefined; body: NewReceiver }) =>
        id === undefined
          ? call(alertApi.addReceiver, { body: { kind, ...rest } })
          : call(alertApi.updateReceiver, { params: { id }, body: rest }),
      onSuccess: said(t('Receiver saved')),
      onSettled,
    }),
    removeReceiver: useMutation({
      mutationFn: (id: number) => callForNothing(alertApi.removeReceiver, { params: { id } }),
      onSuccess: said(t('Receiver deleted')),
      onSettled,
    }),
    testReceiver: useMutation({
      mutationFn: (id: number) => call(alertApi.testReceiver, { params: { id } }),
      onSettled,
    }),
    saveRule: useMutation({
      mutationFn: ({ id, body }: { id: number | undefined; body: RuleBody }) =>
        id === undefined ? call(alertApi.addRule, { body }) : call(alertApi.updateRule, { params: { id }, body }),
      onSuccess: said(t('Rule saved')),
      onSettled,
    }),
    removeRule: useMutation({
      mutationFn: (id: number) => callForNothing(alertApi.removeRule, { params: { id } }),
      onSuccess: said(t('Rule deleted')),
      onSettled,
    }),
    sendAgain: useMutation({
      mutationFn: (id: number) => callForNothing(alertApi.sendAgain, { params: { id } }),
      onSettled,
    }),
  };
}
export type AlertChanges = ReturnType<typeof useAlertChanges>;
