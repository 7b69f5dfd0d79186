import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, nothing, queryInteger, rowId } from '../wire/list.ts';

/** How long, from an hour to a month. */
export const keptHours = { min: 1, max: 720, usual: 24 } as const;
/** How much of one body, in units of 1,024 bytes. */
export const keptKilobytes = { min: 1, max: 1024, usual: 64 } as const;
/** Every node has all of them in memory. */
export const mostKeepings = 10_000;
/** Of one person's own. */
export const mostOwnKeepings = 100;

export const keepingKinds = ['user', 'token'] as const;
export type KeepingKind = (typeof keepingKinds)[number];

const amounts = {
  hours: z.int().check(z.minimum(keptHours.min), z.maximum(keptHours.max)),
  kilobytes: z.int().check(z.minimum(keptKilobytes.min), z.maximum(keptKilobytes.max)),
} as const;

/** That the bodies of a user's requests are kept, or of a token's. */
export const bodyKeeping = z.object({
  kind: z.enum(keepingKinds),
  /** Of the user or the token. */
  owner_id: z.int(),
  ...amounts,
  /** Whether the person set it, who may then end it too; else an admin did. */
  is_own: z.boolean(),
  created_time: z.int(),
});
export type BodyKeeping = z.infer<typeof bodyKeeping>;

/** What is set for a person: the account and the tokens. */
export const keepingState = z.object({
  /** Whether anything is kept at all on this gateway. */
  is_on: z.boolean(),
  /** Whether people may set it for tokens of their own. */
  is_for_owners: z.boolean(),
  keepings: z.array(bodyKeeping),
  /** How many requests have bodies kept at the moment. */
  kept: z.int(),
});
export type KeepingState = z.infer<typeof keepingState>;

/** One side of what was said. */
export const keptBody = z.object({
  /** Its beginning, or all of it; base64 where it is no text. */
  text: z.string(),
  is_text: z.boolean(),
  /** How many bytes it really had. */
  bytes: z.int(),
  is_cut: z.boolean(),
});
export type KeptBody = z.infer<typeof keptBody>;

export const keptBodies = z.object({
  request_id: z.string(),
  created_time: z.int(),
  expires_time: z.int(),
  /** The status that was answered. */
  status: z.int(),
  request: keptBody,
  answer: keptBody,
});
export type KeptBodies = z.infer<typeof keptBodies>;

const requestId = z.string().check(z.regex(/^[\w.-]{1,100}$/));

export const keptBodyApi = {
  own: {
    method: 'GET',
    path: '/api/body/self',
    access: 'user',
    reply: keepingState,
  },
  keepOwn: {
    method: 'PUT',
    path: '/api/body/self',
    access: 'user',
    body: z.object({ token_id: rowId, ...amounts }),
    reply: nothing,
  },
  endOwn: {
    method: 'DELETE',
    path: '/api/body/self/:id',
    access: 'user',
    params: idParams,
    reply: nothing,
  },
  forgetOwn: {
    method: 'POST',
    path: '/api/body/self/forget',
    access: 'user',
    reply: z.int(),
  },
  of: {
    method: 'GET',
    path: '/api/body/user/:id',
    access: 'admin',
    params: idParams,
    reply: keepingState,
  },
  keep: {
    method: 'PUT',
    path: '/api/body/user/:id',
    access: 'admin',
    params: idParams,
    body: z.object({ token_id: z.optional(rowId), ...amounts }),
    reply: nothing,
  },
  end: {
    method: 'DELETE',
    path: '/api/body/user/:id',
    access: 'admin',
    params: idParams,
    query: z.object({ token_id: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)) }),
    reply: nothing,
  },
  forgetOf: {
    method: 'POST',
    path: '/api/body/user/:id/forget',
    access: 'admin',
    params: idParams,
    reply: z.int(),
  },
  /** Not a GET: what it answers is in no cache and no history. */
  readOwn: {
    method: 'POST',
    path: '/api/body/self/read',
    access: 'user',
    body: z.object({ request_id: requestId }),
    proof: 'recent',
    reply: keptBodies,
  },
  read: {
    method: 'POST',
    path: '/api/body/read',
    access: 'admin',
    body: z.object({ request_id: requestId }),
    proof: 'recent',
    reply: keptBodies,
  },
  forgetOneOwn: {
    method: 'DELETE',
    path: '/api/body/self/request/:request_id',
    access: 'user',
    params: z.object({ request_id: requestId }),
    reply: nothing,
  },
  forgetOne: {
    method: 'DELETE',
    path: '/api/body/request/:request_id',
    access: 'admin',
    params: z.object({ request_id: requestId }),
    reply: nothing,
  },
} as const satisfies EndpointTable;
