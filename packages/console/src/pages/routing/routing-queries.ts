import { type Input, routingApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

const name = 'routing';

export const rulesQuery = queryOptions({
  queryKey: [name, 'rules'],
  queryFn: ({ signal }) => call(routingApi.rules, {}, { signal }),
  staleTime: 0,
});

export const aliasesQuery = queryOptions({
  queryKey: [name, 'aliases'],
  queryFn: ({ signal }) => call(routingApi.aliases, {}, { signal }),
  staleTime: 0,
});

export type RuleBody = Required<Input<typeof routingApi.createRule>['body']>;
export type AliasBody = Input<typeof routingApi.createAlias>['body'];

/** Makes a new one where there is no id. */
export const saveRule = (id: number | undefined, body: RuleBody) =>
  id === undefined ? call(routingApi.createRule, { body }) : call(routingApi.updateRule, { body: { ...body, id } });

export const saveAlias = (id: number | undefined, body: AliasBody) =>
  id === undefined ? call(routingApi.createAlias, { body }) : call(routingApi.updateAlias, { body: { ...body, id } });

export const removeRule = (id: number) => call(routingApi.removeRule, { params: { id } });

export const removeAlias = (id: number) => call(routingApi.removeAlias, { params: { id } });

export const explain = (body: Input<typeof routingApi.explain>['body']) => call(routingApi.explain, { body });
