import { type Input, routingApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallOptions, call } from '../../lib/api/call.ts';

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

export const createRule = (body: RuleBody) => call(routingApi.createRule, { body });

export const updateRule = (id: number, body: RuleBody, options: CallOptions) =>
  call(routingApi.updateRule, { body: { ...body, id } }, options);

export const createAlias = (body: AliasBody) => call(routingApi.createAlias, { body });

export const updateAlias = (id: number, body: AliasBody, options: CallOptions) =>
  call(routingApi.updateAlias, { body: { ...body, id } }, options);

export const removeRule = (id: number) => call(routingApi.removeRule, { params: { id } });

export const removeAlias = (id: number) => call(routingApi.removeAlias, { params: { id } });

export const explainRouting = (body: Input<typeof routingApi.explain>['body']) => call(routingApi.explain, { body });
