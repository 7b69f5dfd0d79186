import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { keyword, splitCommas } from '../wire/list.ts';

/** Kinds of objects that limits, budgets, rules and token bindings refer to. */
export const subjectKinds = ['user', 'token', 'channel', 'group', 'model', 'tag'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export const subject = z.object({
  /** ID of a user, token or channel; name of a group, model or tag. */
  value: z.string(),
  name: z.string(),
  /** Owner of the token; empty for other kinds. */
  owner: z.string(),
  /** ID of the owner of the token; 0 for other kinds. */
  owner_id: z.int(),
});
export type Subject = z.infer<typeof subject>;

/** Maximum number of ids in one request. */
export const maxSubjects = 100;

const ids = z.string().check(
  z.maxLength(2000),
  z.refine(
    (text) => splitCommas(text).length <= maxSubjects && splitCommas(text).every((id) => /^[1-9]\d{0,14}$/.test(id)),
    {
      error: 'ids separated by commas',
    },
  ),
);

export const subjectApi = {
  suggest: {
    method: 'GET',
    path: '/api/subject/',
    access: 'admin',
    query: z.object({
      kind: z.enum(subjectKinds),
      keyword,
      /** Returns exactly these users, tokens or channels; unknown ids are omitted. */
      ids: z.optional(ids),
    }),
    reply: z.array(subject),
  },
} as const satisfies EndpointTable;
