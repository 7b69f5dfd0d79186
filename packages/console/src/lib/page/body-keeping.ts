import { type BodyKeeping, keptBodyApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

export type KeepingAmounts = Pick<BodyKeeping, 'hours' | 'kilobytes'>;

/** Whether requests and answers of the own account and tokens are kept. */
export const ownKeepingQuery = queryOptions({
  queryKey: ['body', 'self'],
  queryFn: ({ signal }) => call(keptBodyApi.own, {}, { signal }),
  meta: { quiet: true },
});

/** What is set for one token, or for the whole account without one. */
export const keepingOf = (keepings: readonly BodyKeeping[], token?: number): BodyKeeping | undefined =>
  keepings.find(({ kind, owner_id }) =>
    token === undefined ? kind === 'user' : kind === 'token' && owner_id === token,
  );
