import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** What a configuration file can manage, and the word for it. */
export const managedKinds = {
  option: 'option',
  group: 'group',
  model: 'model',
  channel: 'channel',
  user: 'user',
  limit: 'limit',
  routingRule: 'rule of routing',
  modelAlias: 'alias',
  budget: 'budget',
} as const;
export type ManagedKind = keyof typeof managedKinds;

export const managedThing = z.object({
  kind: z.enum(Object.keys(managedKinds) as [ManagedKind, ...ManagedKind[]]),
  /** What the file calls it. */
  name: z.string(),
  /** Its id; 0 where it is known by its name alone. */
  id: z.int(),
});
export type ManagedThing = z.infer<typeof managedThing>;

export const managedApi = {
  list: {
    method: 'GET',
    path: '/api/managed/',
    access: 'admin',
    reply: z.array(managedThing),
  },
} as const satisfies EndpointTable;
