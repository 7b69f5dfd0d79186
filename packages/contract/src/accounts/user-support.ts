import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, noData, rowId } from '../wire/list.ts';
import { userSession } from './session.ts';
import { lockReasonLength, token, tokenCreation } from './token.ts';

/** A token as an admin sees it: without its key. */
export const adminToken = z.extend(z.omit(token, { key: true }), {
  /** IDs of the channels and tags to which the token is bound; both empty if it is not bound. */
  channels: z._default(z.string(), ''),
  tags: z._default(z.string(), ''),
});
export type AdminToken = z.infer<typeof adminToken>;

const tokenIds = z.array(rowId).check(z.minLength(1), z.maxLength(1000));

/** Endpoints for admins to support a user with a lower role, apart from the user's account itself. */
export const userSupportApi = {
  tokens: {
    method: 'GET',
    path: '/api/user/:id/tokens',
    access: 'admin',
    params: idParams,
    reply: z.array(adminToken),
  },
  createToken: {
    method: 'POST',
    path: '/api/user/:id/tokens',
    access: 'admin',
    params: idParams,
    body: tokenCreation,
    /** With its key. */
    reply: token,
  },
  disableTokens: {
    method: 'POST',
    path: '/api/user/:id/tokens/disable',
    access: 'admin',
    params: idParams,
    body: z.object({
      ids: z.optional(tokenIds),
      /** Shown to the user. */
      reason: z._default(z.string().check(z.trim(), z.maxLength(lockReasonLength.max)), ''),
    }),
    reply: z.int(),
  },
  enableTokens: {
    method: 'POST',
    path: '/api/user/:id/tokens/enable',
    access: 'admin',
    params: idParams,
    body: z.object({
      ids: z.optional(tokenIds),
      /** Allows the user to create and enable tokens again. */
      unlock: z._default(z.boolean(), false),
    }),
    reply: z.int(),
  },
  bindToken: {
    method: 'POST',
    path: '/api/user/:id/tokens/bind',
    access: 'admin',
    params: idParams,
    body: z.object({ token: rowId, channels: commaList(4000), tags: commaList(4000) }),
    reply: noData,
  },
  sessions: {
    method: 'GET',
    path: '/api/user/:id/sessions',
    access: 'admin',
    params: idParams,
    reply: z.array(z.omit(userSession, { id: true, isCurrent: true })),
  },
  endSessions: {
    method: 'POST',
    path: '/api/user/:id/sessions/end',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  models: {
    method: 'GET',
    path: '/api/user/:id/models',
    access: 'admin',
    params: idParams,
    reply: z.array(z.string()),
  },
} as const satisfies EndpointTable;
