import { isAdmin } from '@headgate/contract';
import { useUser } from '../../lib/account/session.ts';
import { OwnPricesPage } from './own-prices-page.tsx';
import { PriceListPage } from './price-list-page.tsx';

/** Model prices: editable for admins, read-only for others. */
export function PricesPage() {
  const user = useUser();
  return user && isAdmin(user) ? <PriceListPage /> : <OwnPricesPage />;
}
