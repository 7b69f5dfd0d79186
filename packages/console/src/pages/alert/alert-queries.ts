import { type AlertState, alertApi, type Input } from '@headgate/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { type CallOptions, call, callList, callWithoutData } from '../../lib/api/call.ts';
import { ifMatch, readForEdit } from '../../lib/api/edit-call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import type { Edit } from '../../ui/edit/edit-resource.tsx';

const alerts = 'alerts';
const pollMs = 15_000;
export const historySize = 20;

export const destinationsQuery = queryOptions({
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
    refetchInterval: pollMs,
    staleTime: 0,
  });

export type NewDestination = Input<typeof alertApi.addReceiver>['body'];
export type RuleBody = Input<typeof alertApi.addRule>['body'];

interface Saved<Body> {
  /** Undefined for a new one. */
  readonly edit: Edit<{ readonly id: number }> | undefined;
  readonly body: Body;
}

/** The kind cannot be changed. */
const updateReceiver = (id: number, { kind: _, ...body }: NewDestination, options: CallOptions) =>
  call(alertApi.updateReceiver, { params: { id }, body }, options);

/** An update sends the complete rule, so the current one is read first. */
async function switchRule({ id, enabled }: { readonly id: number; readonly enabled: boolean }) {
  const now = await readForEdit(alertApi.rule, { params: { id } });
  const { id: _id, created_time: _time, ...body } = now.thing;
  return call(alertApi.updateRule, { params: { id }, body: { ...body, enabled } }, ifMatch(now));
}

/** Mutations of destinations and rules; each refetches everything. */
export function useAlertChanges() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [alerts] });
  const showSuccess = (text: string) => () => showMessage('success', text);
  return {
    saveReceiver: useMutation({
      mutationFn: ({ edit, body }: Saved<NewDestination>) =>
        edit
          ? edit.save((options) => updateReceiver(edit.thing.id, body, options))
          : call(alertApi.addReceiver, { body }),
      onSuccess: showSuccess(t('Destination saved')),
      onSettled,
    }),
    removeReceiver: useMutation({
      mutationFn: (id: number) => callWithoutData(alertApi.removeReceiver, { params: { id } }),
      onSuccess: showSuccess(t('Destination deleted')),
      onSettled,
    }),
    testReceiver: useMutation({
      mutationFn: (id: number) => call(alertApi.testReceiver, { params: { id } }),
      onSettled,
    }),
    saveRule: useMutation({
      mutationFn: ({ edit, body }: Saved<RuleBody>) =>
        edit
          ? edit.save((options) => call(alertApi.updateRule, { params: { id: edit.thing.id }, body }, options))
          : call(alertApi.addRule, { body }),
      onSuccess: showSuccess(t('Rule saved')),
      onSettled,
    }),
    switchRule: useMutation({ mutationFn: switchRule, onSuccess: showSuccess(t('Rule saved')), onSettled }),
    removeRule: useMutation({
      mutationFn: (id: number) => callWithoutData(alertApi.removeRule, { params: { id } }),
      onSuccess: showSuccess(t('Rule deleted')),
      onSettled,
    }),
    sendAgain: useMutation({
      mutationFn: (id: number) => callWithoutData(alertApi.sendAgain, { params: { id } }),
      onSettled,
    }),
  };
}
export type AlertChanges = ReturnType<typeof useAlertChanges>;
