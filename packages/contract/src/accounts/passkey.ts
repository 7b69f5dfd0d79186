import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';
import { signedInUser } from './user.ts';

/** WebAuthn data passed between browser and server. Only the libraries on both sides interpret it. */
const credentialJson = z.record(z.string(), z.unknown());

/** A started ceremony with the options for the browser. */
const startedCeremony = z.object({ ticket: z.string(), options: credentialJson });

const ticket = z.string().check(z.maxLength(200));

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_time: z.int(),
  /** 0: never used. */
  used_time: z.int(),
});

export const passkeyApi = {
  list: {
    method: 'GET',
    path: '/api/user/passkey',
    access: 'user',
    reply: z.array(passkey),
  },
  begin: {
    method: 'POST',
    path: '/api/user/passkey/begin',
    access: 'user',
    proof: 'recent',
    reply: startedCeremony,
  },
  create: {
    method: 'POST',
    path: '/api/user/passkey',
    access: 'user',
    proof: 'session',
    body: z.object({ ticket, response: credentialJson, name: z.string().check(z.trim(), z.maxLength(50)) }),
    reply: noData,
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/passkey/:passkey',
    access: 'user',
    proof: 'recent',
    params: z.object({ passkey: z.string().check(z.maxLength(2000)) }),
    reply: noData,
  },
  beginLogin: {
    method: 'POST',
    path: '/api/user/login/passkey/begin',
    access: 'visitor',
    reply: startedCeremony,
  },
  login: {
    method: 'POST',
    path: '/api/user/login/passkey',
    access: 'visitor',
    body: z.object({ ticket, response: credentialJson }),
    reply: signedInUser,
  },
} as const satisfies EndpointTable;
