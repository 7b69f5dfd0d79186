import * as z from 'zod/mini';
import type { EndpointTable } from './endpoint.ts';
import { nothing } from './list.ts';
import { emailAddress } from './registration.ts';

export const mailApi = {
  test: {
    method: 'POST',
    path: '/api/mail/test',
    access: 'admin',
    summary: 'Send a test mail with the settings that are stored, and say how it went',
    body: z.object({ to: emailAddress }),
    reply: nothing,
  },
} as const satisfies EndpointTable;
