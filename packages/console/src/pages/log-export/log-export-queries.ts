import { type Input, type LogExport, logExportApi } from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { type CallOptions, call, callWithoutData } from '../../lib/api/call.ts';
import { ifMatch, readForEdit } from '../../lib/api/edit-call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import type { Edit } from '../../ui/edit/edit-resource.tsx';

const logExports = 'log-exports';
const pollMs = 15_000;

export const logExportsQuery = queryOptions({
  queryKey: [logExports],
  queryFn: ({ signal }) => call(logExportApi.list, {}, { signal }),
  refetchInterval: pollMs,
  staleTime: 0,
});

export type NewLogExport = Input<typeof logExportApi.add>['body'];

interface Saved {
  /** Undefined for a new one. */
  readonly edit: Edit<LogExport> | undefined;
  readonly body: NewLogExport;
}

/** The kind and the start cannot be changed. */
const update = (id: number, { kind: _kind, from: _from, ...body }: NewLogExport, options: CallOptions) =>
  call(logExportApi.update, { params: { id }, body }, options);

/** An update sends all settings, so the current ones are read first. */
async function switchExport({ id, enabled }: { readonly id: number; readonly enabled: boolean }) {
  const now = await readForEdit(logExportApi.get, { params: { id } });
  const { name, settings } = now.thing;
  return call(logExportApi.update, { params: { id }, body: { name, settings, enabled } }, ifMatch(now));
}

/** Mutations of log exports; each refetches the list. */
export function useLogExportChanges() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [logExports] });
  const showSuccess = (text: string) => () => showMessage('success', text);
  return {
    save: useMutation({
      mutationFn: ({ edit, body }: Saved) =>
        edit ? edit.save((options) => update(edit.thing.id, body, options)) : call(logExportApi.add, { body }),
      onSuccess: showSuccess(t('Log export saved')),
      onSettled,
    }),
    switchExport: useMutation({
      mutationFn: switchExport,
      onSuccess: showSuccess(t('Log export saved')),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: number) => callWithoutData(logExportApi.remove, { params: { id } }),
      onSuccess: showSuccess(t('Log export deleted')),
      onSettled,
    }),
    test: useMutation({
      mutationFn: (id: number) => call(logExportApi.test, { params: { id } }),
      onSettled,
    }),
  };
}
export type LogExportChanges = ReturnType<typeof useLogExportChanges>;
