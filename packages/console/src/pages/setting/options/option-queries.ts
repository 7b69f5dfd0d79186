import { logApi, type OptionKey, optionApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';

export const optionsQuery = queryOptions({
  queryKey: ['option'],
  queryFn: async ({ signal }) => {
    const rows = await call(optionApi.list, { query: { ratios: 'saved' } }, { signal });
    return new Map(rows.map((row) => [row.key, row]));
  },
});

export const saveOption = (key: OptionKey, value: string) => call(optionApi.update, { body: { key, value } });

export const cleanLogs = (target_timestamp: number) => call(logApi.clean, { query: { target_timestamp } });
