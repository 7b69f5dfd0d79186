import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, queryInteger, rowId } from '../wire/list.ts';

/** Retention of payloads, in hours. */
export const payloadHours = { min: 1, max: 720, usual: 24 } as const;
/** Maximum stored size of one payload, in KiB. */
export const payloadKilobytes = { min: 1, max: 1024, usual: 64 } as const;
/** Maximum number of rules, because every node keeps all rules in memory. */
export const maxPayloadRules = 10_000;
/** Maximum number of rules that a user can set. */
export const maxOwnPayloadRules = 100;

export const payloadRuleKinds = ['user', 'token'] as const;
export type PayloadRuleKind = (typeof payloadRuleKinds)[number];

const amounts = {
  hours: z.int().check(z.minimum(payloadHours.min), z.maximum(payloadHours.max)),
  kilobytes: z.int().check(z.minimum(payloadKilobytes.min), z.maximum(payloadKilobytes.max)),
} as const;

/** Stores the payloads of a user or a token. */
export const payloadRule = z.object({
  kind: z.enum(payloadRuleKinds),
  /** ID of the user or token. */
  owner_id: z.int(),
  ...amounts,
  /** True if the user set the rule and may remove it; false if an admin set it. */
  is_own: z.boolean(),
  created_time: z.int(),
});
export type PayloadRule = z.infer<typeof payloadRule>;

/** Payload logging of a user: the account and the tokens. */
export const payloadLogging = z.object({
  /** True if the gateway allows payload logging. */
  is_on: z.boolean(),
  /** True if users may enable payload logging for their own tokens. */
  is_for_owners: z.boolean(),
  keepings: z.array(payloadRule),
  /** Number of requests with stored payloads. */
  kept: z.int(),
});
export type PayloadLogging = z.infer<typeof payloadLogging>;

/** A stored request or response payload. */
export const storedPayload = z.object({
  /** The payload or its start; base64 if it is not text. */
  text: z.string(),
  is_text: z.boolean(),
  /** Original size in bytes. */
  bytes: z.int(),
  is_cut: z.boolean(),
});
export type StoredPayload = z.infer<typeof storedPayload>;

export const storedPayloads = z.object({
  request_id: z.string(),
  created_time: z.int(),
  expires_time: z.int(),
  /** HTTP status returned to the client. */
  status: z.int(),
  /** Request headers, without credentials. */
  headers: z._default(z.record(z.string(), z.string()), {}),
  request: storedPayload,
  answer: storedPayload,
});
export type StoredPayloads = z.infer<typeof storedPayloads>;

const requestId = z.string().check(z.regex(/^[\w.-]{1,100}$/));

export const payloadApi = {
  own: {
    method: 'GET',
    path: '/api/body/self',
    access: 'user',
    reply: payloadLogging,
  },
  keepOwn: {
    method: 'PUT',
    path: '/api/body/self',
    access: 'user',
    body: z.object({ token_id: rowId, ...amounts }),
    reply: noData,
  },
  endOwn: {
    method: 'DELETE',
    path: '/api/body/self/:id',
    access: 'user',
    params: idParams,
    reply: noData,
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
    reply: payloadLogging,
  },
  keep: {
    method: 'PUT',
    path: '/api/body/user/:id',
    access: 'admin',
    params: idParams,
    body: z.object({ token_id: z.optional(rowId), ...amounts }),
    reply: noData,
  },
  end: {
    method: 'DELETE',
    path: '/api/body/user/:id',
    access: 'admin',
    params: idParams,
    query: z.object({ token_id: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)) }),
    reply: noData,
  },
  forgetOf: {
    method: 'POST',
    path: '/api/body/user/:id/forget',
    access: 'admin',
    params: idParams,
    reply: z.int(),
  },
  /** POST, so that payloads stay out of caches and browser history. */
  readOwn: {
    method: 'POST',
    path: '/api/body/self/read',
    access: 'user',
    body: z.object({ request_id: requestId }),
    proof: 'recent',
    reply: storedPayloads,
  },
  read: {
    method: 'POST',
    path: '/api/body/read',
    access: 'admin',
    body: z.object({ request_id: requestId }),
    proof: 'recent',
    reply: storedPayloads,
  },
  forgetOneOwn: {
    method: 'DELETE',
    path: '/api/body/self/request/:request_id',
    access: 'user',
    params: z.object({ request_id: requestId }),
    reply: noData,
  },
  forgetOne: {
    method: 'DELETE',
    path: '/api/body/request/:request_id',
    access: 'admin',
    params: z.object({ request_id: requestId }),
    reply: noData,
  },
} as const satisfies EndpointTable;
