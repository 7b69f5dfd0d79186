import type { priceApi } from '@headgate/contract';
import { groupsOf } from '../../accounts/users/user-service.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { PriceService } from './price-service.ts';

export const priceRoutes = (prices: PriceService): Handlers<typeof priceApi> => ({
  list: () => prices.all(),
  save: ({ body, caller }) => prices.save(caller, body.changes),
  unpriced: ({ query }) => prices.unpriced(query.models),
  listOwn: ({ caller }) => prices.own(groupsOf(caller)),
});
