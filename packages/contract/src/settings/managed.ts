import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** Kinds of objects that a configuration file can manage, with their labels. */
export const managedKinds = {
  option: 'option',
  group: 'group',
  model: 'model',
  channel: 'channel',
  user: 'user',
  token: 'token',
  organization: 'organization',
  project: 'project',
  limit: 'limit',
  routingRule: 'rule of routing',
  modelAlias: 'alias',
  budget: 'budget',
  plan: 'plan',
  alertDestination: 'destination',
  alertRule: 'alert rule',
  logExport: 'log export',
} as const;
export type ManagedKind = keyof typeof managedKinds;

export const managedObject = z.object({
  kind: z.enum(Object.keys(managedKinds) as [ManagedKind, ...ManagedKind[]]),
  /** Name in the configuration file. */
  name: z.string(),
  /** 0 if the object is identified by its name. */
  id: z.int(),
});
export type ManagedObject = z.infer<typeof managedObject>;

export const managedApi = {
  list: {
    method: 'GET',
    path: '/api/managed/',
    access: 'admin',
    reply: z.array(managedObject),
  },
} as const satisfies EndpointTable;
