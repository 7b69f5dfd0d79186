import { isAdmin } from '@headgate/contract';
import { Navigate } from '@tanstack/react-router';
import { useUser } from '../../lib/account/session.ts';
import { PriceListPage } from './price-list-page.tsx';

/** Editable prices for admins. Others see prices in the model catalog. */
export function PricesPage() {
  const user = useUser();
  return user && isAdmin(user) ? <PriceListPage /> : <Navigate to="/catalog" replace />;
}
