import * as z from 'zod/mini';
import { turnstileToken } from '../accounts/user.ts';
import type { EndpointTable } from '../wire/endpoint.ts';

export const checkIn = z.object({
  enabled: z.boolean(),
  checked_in: z.boolean(),
  /** Bounds of the random amount, in points. */
  min_quota: z.int(),
  max_quota: z.int(),
  /** Start of the next day, Unix seconds. */
  next_time: z.int(),
});
export type CheckIn = z.output<typeof checkIn>;

export const checkInApi = {
  read: { method: 'GET', path: '/api/check_in', access: 'user', reply: checkIn },
  run: {
    method: 'POST',
    path: '/api/check_in',
    access: 'user',
    limit: 'critical',
    query: z.object({ turnstile: turnstileToken }),
    reply: z.int(),
  },
} as const satisfies EndpointTable;
