import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData } from '../wire/list.ts';
import { signedInUser } from './user.ts';

/** `message` of a login that still requires a code. The second step needs `ticket`. */
export const secondFactorMessage = 'second_factor';

/** Fields next to the user in a login response. The user is omitted while a code is needed. */
export const loginFields = z.object({ message: z.string(), ticket: z.optional(z.string()) });

/** Six digits of an authenticator app, or a backup code, as typed by the user. */
const code = z.string().check(z.trim(), z.minLength(1), z.maxLength(50));

const backupCodes = z.array(z.string());

export const secondFactorApi = {
  login: {
    method: 'POST',
    path: '/api/user/login/second',
    access: 'visitor',
    body: z.object({ ticket: z.string().check(z.maxLength(200)), code }),
    reply: signedInUser,
  },
  status: {
    method: 'GET',
    path: '/api/user/second_factor',
    access: 'user',
    reply: z.object({ isOn: z.boolean(), backupCodes: z.int(), isRequired: z.boolean() }),
  },
  begin: {
    method: 'POST',
    path: '/api/user/second_factor/begin',
    access: 'user',
    proof: 'recent',
    reply: z.object({ secret: z.string(), uri: z.string() }),
  },
  confirm: {
    method: 'POST',
    path: '/api/user/second_factor/confirm',
    access: 'user',
    proof: 'session',
    body: z.object({ code }),
    reply: backupCodes,
  },
  renewBackupCodes: {
    method: 'POST',
    path: '/api/user/second_factor/backup_codes',
    access: 'user',
    proof: 'session',
    body: z.object({ code }),
    reply: backupCodes,
  },
  remove: {
    method: 'POST',
    path: '/api/user/second_factor/remove',
    access: 'user',
    proof: 'session',
    body: z.object({ code }),
    reply: noData,
  },
  reset: {
    method: 'DELETE',
    path: '/api/user/:id/second_factor',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
