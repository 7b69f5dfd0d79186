import * as z from 'zod/mini';
import { ownLimit } from '../catalog/limit-rule.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams } from '../wire/list.ts';
import { budget } from './budget.ts';

/** Effective limits of a user with a lower role. */
export const userLimitApi = {
  read: {
    method: 'GET',
    path: '/api/user/:id/limits',
    access: 'admin',
    params: idParams,
    reply: z.object({ limits: z.array(ownLimit), budgets: z.array(budget) }),
  },
} as const satisfies EndpointTable;
