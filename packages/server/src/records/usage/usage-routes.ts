import type { OptionValues, usageApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { CostExportService } from './cost-export-service.ts';
import { ownMeasure, withoutCost } from './own-usage.ts';
import type { UsageComparisonService } from './usage-comparison-service.ts';
import { parseUsageCriteria } from './usage-request.ts';
import type { UsageService } from './usage-service.ts';

interface UsageRoutesDependencies {
  readonly usage: Pick<UsageService, 'read'>;
  readonly usageComparison: UsageComparisonService;
  readonly costExports: CostExportService;
  readonly options: { readonly values: Pick<OptionValues, 'TagKeys'> };
}

/** Own usage is found by user id, because another user may have had the same name before. */
export const usageRoutes = ({
  usage,
  usageComparison,
  costExports,
  options,
}: UsageRoutesDependencies): Handlers<typeof usageApi> => ({
  exportCosts: (input) => costExports.export(input),
  compare: ({ query }) => usageComparison.compare(query),
  read: ({ query }) => usage.read(parseUsageCriteria(query)),
  readOwn: async ({ query, caller }) =>
    withoutCost(
      await usage.read(parseUsageCriteria({ ...query, measure: ownMeasure(query.measure), user_id: caller.id })),
    ),
  tags: async () => ({ keys: [...options.values.TagKeys] }),
});
