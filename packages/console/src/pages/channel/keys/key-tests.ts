import { channelKeyApi, type KeyTestResult } from '@headgate/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { channelList } from '../channel-queries.ts';

export interface KeyTests {
  /** Key under test; undefined if none. */
  readonly running: number | undefined;
  /** Results since the page was opened. */
  readonly results: ReadonlyMap<number, KeyTestResult>;
  /** Runs sequentially, so that the provider does not see a burst of requests. */
  readonly start: (keys: readonly number[]) => Promise<void>;
}

export function useKeyTests(id: number): KeyTests {
  const queries = useQueryClient();
  const [running, setRunning] = useState<number>();
  const [results, setResults] = useState<ReadonlyMap<number, KeyTestResult>>(new Map());
  const start = async (keys: readonly number[]) => {
    try {
      for (const key of keys) {
        setRunning(key);
        const result = await call(channelKeyApi.test, { params: { id }, body: { key } });
        setResults((before) => new Map(before).set(key, result));
      }
    } finally {
      setRunning(undefined);
      await queries.invalidateQueries({ queryKey: [channelList] });
    }
  };
  return { running, results, start };
}
