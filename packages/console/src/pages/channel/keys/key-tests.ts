import { channelKeyApi, type KeyTest } from '@headgate/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { channelList } from '../channel-queries.ts';

export interface KeyTests {
  /** The key that is being tested; undefined: none is. */
  readonly running: number | undefined;
  /** What was found while the page is open. */
  readonly results: ReadonlyMap<number, KeyTest>;
  /** One after the other, so that no provider takes it for an attack. */
  readonly start: (keys: readonly number[]) => Promise<void>;
}

export function useKeyTests(id: number): KeyTests {
  const queries = useQueryClient();
  const [running, setRunning] = useState<number>();
  const [results, setResults] = useState<ReadonlyMap<number, KeyTest>>(new Map());
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
