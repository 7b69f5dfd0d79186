import { type BodyKeeping, keptBodyApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

export type KeepingAmounts = Pick<BodyKeeping, 'hours' | 'kilobytes'>;

/** Payload logging settings of the user's own account and tokens. */
export const ownKeepingQuery = queryOptions({
  queryKey: ['body', 'self'],
  queryFn: ({ signal }) => call(keptBodyApi.own, {}, { signal }),
  meta: { quiet: true },
});

/** Setting of a token, or of the whole account without one. */
export const keepingOf = (keepings: readonly BodyKeeping[], token?: number): BodyKeeping | undefined =>
  keepings.find(({ kind, owner_id }) =>
    token === undefined ? kind === 'user' : kind === 'token' && owner_id === token,
  );
