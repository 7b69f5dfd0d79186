import { isAdmin } from '@headgate/contract';
import { useUser } from '../../lib/account/session.ts';
import { OwnPricesPage } from './own-prices-page.tsx';
import { PriceListPage } from './price-list-page.tsx';

/** What models cost: to be changed by admins, to be read by everybody else. */
export function PricesPage() {
  const user = useUser();
  return user && isAdmin(user) ? <PriceListPage /> : <OwnPricesPage />;
}
