import type { priceApi } from '@headgate/contract';
import { groupsOf } from '../../accounts/users/user-service.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { PriceChangeService } from './price-change-service.ts';
import type { PriceService } from './price-service.ts';

export const priceRoutes = (prices: PriceService, changes: PriceChangeService): Handlers<typeof priceApi> => ({
  list: () => prices.all(),
  save: ({ body, caller }) => changes.save(caller, body.changes),
  unpriced: ({ query }) => prices.unpriced(query.models),
  changes: ({ query }) => prices.changes(query.model),
  listOwn: ({ caller }) => prices.own(groupsOf(caller)),
});
