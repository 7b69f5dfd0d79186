import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { keyword, splitCommas } from '../wire/list.ts';

/** What limits, budgets, rules and bindings are about. */
export const subjectKinds = ['user', 'token', 'channel', 'group', 'model', 'tag'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export const subject = z.object({
  /** The id of a user, a token or a channel; of the others the name. */
  value: z.string(),
  name: z.string(),
  /** Whose token it is; empty for the others. */
  owner: z.string(),
  /** The id of the owner of a token; 0 for the others. */
  owner_id: z.int(),
});
export type Subject = z.infer<typeof subject>;

/** Ids that are asked for at once. */
export const mostSubjects = 100;

const ids = z.string().check(
  z.maxLength(2000),
  z.refine(
    (text) => splitCommas(text).length <= mostSubjects && splitCommas(text).every((id) => /^[1-9]\d{0,14}$/.test(id)),
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
      /** Of users, tokens and channels: exactly these, as far as they are there. */
      ids: z.optional(ids),
    }),
    reply: z.array(subject),
  },
} as const satisfies EndpointTable;
