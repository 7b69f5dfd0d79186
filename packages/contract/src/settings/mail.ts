import * as z from 'zod/mini';
import { emailAddress } from '../accounts/registration.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';

export const mailApi = {
  test: {
    method: 'POST',
    path: '/api/mail/test',
    access: 'admin',
    body: z.object({ to: emailAddress }),
    reply: noData,
  },
} as const satisfies EndpointTable;
