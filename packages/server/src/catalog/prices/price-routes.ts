import type { priceApi } from '@headgate/contract';
import { groupsOf } from '../../accounts/users/user-service.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { PriceChangeService } from './price-change-service.ts';
import type { PriceListService } from './price-list-service.ts';
import type { PriceService } from './price-service.ts';

interface PriceServices {
  readonly prices: PriceService;
  readonly priceChanges: PriceChangeService;
  readonly priceLists: PriceListService;
}

export const priceRoutes = ({ prices, priceChanges, priceLists }: PriceServices): Handlers<typeof priceApi> => ({
  list: () => prices.all(),
  save: ({ body, caller }) => priceChanges.save(caller, body.changes, body.list),
  compare: ({ body }) => priceLists.compare(body.url),
  unpriced: ({ query }) => prices.unpriced(query.models),
  changes: ({ query }) => prices.changes(query.model),
  listOwn: ({ caller }) => prices.own(groupsOf(caller)),
});
