import { usageApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import type { CompareState } from './compare-state.ts';

const daySeconds = 86_400;

export const comparisonQuery = (state: CompareState) =>
  queryOptions({
    queryKey: ['usage-comparison', state],
    queryFn: async ({ signal }) => {
      const { first, second, range } = state;
      const start_timestamp = Math.floor(Date.now() / 1000) - Number(range) * daySeconds;
      const query = { start_timestamp, model: first.model, channel: first.channel };
      const other = { other_model: second.model, other_channel: second.channel };
      const usage = await call(usageApi.compare, { query: { ...query, ...other } }, { signal });
      return { sides: [first, second] as const, usage };
    },
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
