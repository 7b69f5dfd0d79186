import { type Log, logCursorOf } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LogScope, logList, readNewLogs } from './log-queries.ts';

const pollMs = 2500;

/** Logs of other nodes may arrive up to this many seconds after newer ones. */
const overlapSeconds = 5;

/** Maximum number of rows in the live view. */
const maxRows = 500;

interface LiveLogs {
  /** Serialized filters of the rows. */
  readonly of: string;
  readonly rows: readonly Log[];
}

/** Rows that arrived after the first page was loaded, while the live view is on and the tab is visible. */
export function useLiveLogs(scope: LogScope, loaded: readonly Log[], isOn: boolean): readonly Log[] {
  const of = JSON.stringify(scope);
  const [live, setLive] = useState<LiveLogs>({ of, rows: [] });
  const rows = live.of === of ? live.rows : [];
  const newest = rows[0] ?? loaded[0];
  const since = newest ? newest.created_at - overlapSeconds : Math.floor(Date.now() / 1000) - overlapSeconds;
  const { data } = useQuery({
    queryKey: [logList, 'live', scope],
    queryFn: ({ signal }) => readNewLogs(scope, logCursorOf({ created_at: since, id: 0 }), signal),
    enabled: isOn,
    refetchInterval: pollMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (!isOn || !data) return;
    setLive((now) => {
      const before = now.of === of ? now.rows : [];
      const known = new Set([...before, ...loaded].map(logCursorOf));
      const added = data.rows.filter((log) => !known.has(logCursorOf(log)));
      return added.length === 0 ? now : { of, rows: [...added, ...before].slice(0, maxRows) };
    });
  }, [data, isOn, of, loaded]);
  // A reload of the first page contains rows that were shown live.
  const known = new Set(loaded.map(logCursorOf));
  return rows.filter((log) => !known.has(logCursorOf(log)));
}
