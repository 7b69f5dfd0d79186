import type { Parsed, RoutingExplanation, routingApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { RoutingService } from './routing-service.ts';

interface RoutingRoutesDependencies {
  readonly routing: RoutingService;
  readonly explain: (request: Parsed<typeof routingApi.explain>['body']) => RoutingExplanation;
}

export const routingRoutes = ({ routing, explain }: RoutingRoutesDependencies): Handlers<typeof routingApi> => ({
  rules: () => routing.rules(),
  rule: ({ params }) => routing.rule(params.id),
  createRule: ({ caller, body }) => routing.createRule(caller, body),
  updateRule: ({ caller, body }) => routing.updateRule(caller, body),
  removeRule: async ({ caller, params }) => {
    await routing.removeRule(caller, params.id);
    return undefined;
  },
  aliases: () => routing.aliases(),
  alias: ({ params }) => routing.alias(params.id),
  createAlias: ({ caller, body }) => routing.createAlias(caller, body),
  updateAlias: ({ caller, body }) => routing.updateAlias(caller, body),
  removeAlias: async ({ caller, params }) => {
    await routing.removeAlias(caller, params.id);
    return undefined;
  },
  explain: ({ body }) => explain(body),
});
