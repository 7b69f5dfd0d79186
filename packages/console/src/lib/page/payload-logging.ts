import { type PayloadRule, payloadApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

export type PayloadLoggingLimits = Pick<PayloadRule, 'hours' | 'kilobytes'>;

/** Payload logging settings of the user's own account and tokens. */
export const ownPayloadLoggingQuery = queryOptions({
  queryKey: ['body', 'self'],
  queryFn: ({ signal }) => call(payloadApi.own, {}, { signal }),
  meta: { quiet: true },
});

/** Setting of a token, or of the whole account without one. */
export const payloadLoggingOf = (keepings: readonly PayloadRule[], token?: number): PayloadRule | undefined =>
  keepings.find(({ kind, owner_id }) =>
    token === undefined ? kind === 'user' : kind === 'token' && owner_id === token,
  );
