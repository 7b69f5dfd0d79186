import type { OptionValues, Usage, UsageRanking, UsageTotals, usageApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { UsageComparisonService } from './usage-comparison-service.ts';
import { parseUsageCriteria } from './usage-request.ts';
import type { UsageService } from './usage-service.ts';

interface UsageRoutesDependencies {
  readonly usage: Pick<UsageService, 'read'>;
  readonly usageComparison: UsageComparisonService;
  readonly options: { readonly values: Pick<OptionValues, 'TagKeys'> };
}

/** Own usage is found by user id, because another user may have had the same name before. */
export const usageRoutes = ({
  usage,
  usageComparison,
  options,
}: UsageRoutesDependencies): Handlers<typeof usageApi> => ({
  compare: ({ query }) => usageComparison.compare(query),
  read: ({ query }) => usage.read(parseUsageCriteria(query)),
  readOwn: async ({ query, caller }) =>
    withoutCost(
      await usage.read(parseUsageCriteria({ ...query, measure: ownMeasure(query.measure), user_id: caller.id })),
    ),
  tags: async () => ({ keys: [...options.values.TagKeys] }),
});

/** Users must not see the operator's cost, and the order of the rows must not reveal it either. */
const ownMeasure = (measure: UsageRanking): UsageRanking =>
  measure === 'cost' || measure === 'margin' || measure === 'uncosted_quota' ? 'quota' : measure;

function withoutCost(usage: Usage): Usage {
  const plain = (sums: UsageTotals): UsageTotals => ({ ...sums, cost: 0, uncosted_quota: 0 });
  const headings = (all: Usage['rows']) => all.map((heading) => ({ ...heading, total: plain(heading.total) }));
  return {
    ...usage,
    rows: headings(usage.rows),
    columns: headings(usage.columns),
    cells: usage.cells.map((row) => row.map(plain)),
    total: plain(usage.total),
  };
}
