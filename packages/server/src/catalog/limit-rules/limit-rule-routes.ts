import type { limitRuleApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { LimitRuleService } from './limit-rule-service.ts';

export const limitRuleRoutes = (limits: LimitRuleService): Handlers<typeof limitRuleApi> => ({
  list: ({ query }) => limits.page(query),
  own: ({ caller }) => limits.own(caller),
  get: ({ params }) => limits.get(params.id),
  create: ({ caller, body }) => limits.create(caller, body),
  update: ({ caller, body }) => limits.update(caller, body),
  remove: async ({ caller, params }) => {
    await limits.remove(caller, params.id);
    return undefined;
  },
});
