import { isAdmin } from '@headgate/contract';
import { useUser } from '../../lib/account/session.ts';
import { useStatus } from '../../lib/page/status.ts';

/** True if the signed-in user can create organizations. */
export function useCanCreateOrganizations(): boolean {
  const user = useUser();
  return useStatus().organization_creation || (user !== undefined && isAdmin(user));
}
