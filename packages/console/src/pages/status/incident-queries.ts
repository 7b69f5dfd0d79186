import { type Incident, type Input, incidentApi } from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { call, callList, callWithoutData } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import type { Edit } from '../../ui/edit/edit-resource.tsx';
import { publicStatusQuery } from './status-queries.ts';

const historySize = 100;

/** Incident list for admins, available even while the status page is off. */
export const incidentsQuery = queryOptions({
  queryKey: ['incidents'],
  queryFn: ({ signal }) => callList(incidentApi.list, { query: { size: historySize } }, { signal }),
  staleTime: 0,
});

export type IncidentBody = Input<typeof incidentApi.add>['body'];

interface SavedIncident {
  /** Undefined for a new one. */
  readonly edit: Edit<Incident> | undefined;
  readonly body: IncidentBody;
}

interface NewUpdate {
  readonly id: number;
  readonly body: Input<typeof incidentApi.addUpdate>['body'];
}

/** Mutations of incidents; each refetches the list and the public page. */
export function useIncidentChanges() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSettled = async () => {
    await queries.invalidateQueries({ queryKey: incidentsQuery.queryKey });
    await queries.invalidateQueries({ queryKey: publicStatusQuery.queryKey });
  };
  return {
    save: useMutation({
      mutationFn: ({ edit, body }: SavedIncident) =>
        edit
          ? edit.save((options) => call(incidentApi.update, { params: { id: edit.thing.id }, body }, options))
          : call(incidentApi.add, { body }),
      onSuccess: (_, { edit }) => showMessage('success', edit ? t('Incident saved') : t('Incident posted')),
      onSettled,
    }),
    addUpdate: useMutation({
      mutationFn: ({ id, body }: NewUpdate) => call(incidentApi.addUpdate, { params: { id }, body }),
      onSuccess: (_, { body }) => showMessage('success', body.close ? t('Incident closed') : t('Update posted')),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: number) => callWithoutData(incidentApi.remove, { params: { id } }),
      onSuccess: () => showMessage('success', t('Incident deleted')),
      onSettled,
    }),
  };
}

export type IncidentChanges = ReturnType<typeof useIncidentChanges>;
