import type { OptionValues, usageApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { ownMeasure, withoutCost } from './own-usage.ts';
import { parseUsageCriteria } from './usage-request.ts';
import type { UsageService } from './usage-service.ts';

/** Own usage is found by user id, because another user may have had the same name before. */
export const usageRoutes = (
  usage: Pick<UsageService, 'read'>,
  options: { readonly values: Pick<OptionValues, 'TagKeys'> },
): Handlers<typeof usageApi> => ({
  read: ({ query }) => usage.read(parseUsageCriteria(query)),
  readOwn: async ({ query, caller }) =>
    withoutCost(
      await usage.read(parseUsageCriteria({ ...query, measure: ownMeasure(query.measure), user_id: caller.id })),
    ),
  tags: async () => ({ keys: [...options.values.TagKeys] }),
});
