import type { TestResult } from '@headgate/contract';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { translate, useTranslation } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { channelList, readTestProgress, readTestResults, startTests, testSelectedChannels } from './channel-queries.ts';

const pollMs = 1500;

type Progress = Awaited<ReturnType<typeof readTestProgress>>;

/** Polls while a run is in progress; a server that reports no progress is queried only once. */
const progressQuery = (queries: QueryClient) =>
  queryOptions({
    queryKey: ['channel-test-progress'],
    queryFn: async ({ signal, queryKey }) => {
      const before = queries.getQueryData<Progress>(queryKey);
      const now = await readTestProgress(signal);
      if (before) refetchOnProgress(queries, before, now);
      return now;
    },
    refetchInterval: ({ state }) => (state.status === 'success' && state.data?.running ? pollMs : false),
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
  });

/** Refetches the list when the progress has changed. */
function refetchOnProgress(queries: QueryClient, before: Progress, now: Progress): void {
  if (before.done !== now.done || before.running !== now.running) {
    void queries.invalidateQueries({ queryKey: [channelList] });
    void queries.invalidateQueries({ queryKey: [resultsName] });
  }
  if (before.running && !now.running) {
    const { done, failed } = now;
    showMessage('info', translate('{done} channels tested, {failed} failed', { done, failed }));
  }
}

const resultsName = 'channel-test-results';
const noResults: readonly TestResult[] = [];

const resultsQuery = queryOptions({
  queryKey: [resultsName],
  queryFn: ({ signal }) => readTestResults(signal),
  placeholderData: keepPreviousData,
  staleTime: 0,
  retry: false,
  meta: { quiet: true },
});

export type TestRun = ReturnType<typeof useTestRun>;

/** Background test run of many channels: start, progress and results. */
export function useTestRun() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const query = progressQuery(queries);
  const { extensions } = useStatus();
  const [isShown, show] = useState(false);
  const { data, isError } = useQuery({ ...query, enabled: extensions });
  const results = useQuery({ ...resultsQuery, enabled: extensions && isShown });
  const isRunning = data?.running === true && !isError;
  // Also opens for a run that another user started.
  useEffect(() => {
    if (isRunning) show(true);
  }, [isRunning]);
  const onSuccess = async () => {
    showMessage('info', t('Tests started. Results appear in the list as they complete.'));
    if (!extensions) return queries.invalidateQueries({ queryKey: [channelList] });
    queries.setQueryData<Progress>(query.queryKey, { running: true, done: 0, failed: 0, total: 0 });
    queries.setQueryData<readonly TestResult[]>([resultsName], noResults);
    return queries.invalidateQueries({ queryKey: query.queryKey });
  };
  const start = useMutation({ mutationFn: startTests, onSuccess });
  const startChosen = useMutation({ mutationFn: testSelectedChannels, onSuccess });
  return {
    start: start.mutate,
    startChosen: startChosen.mutate,
    /** Undefined while no run is in progress. */
    progress: isRunning ? data : undefined,
    isStarting: start.isPending,
    results: results.data ?? noResults,
    isShown: extensions && isShown,
    show,
  };
}
