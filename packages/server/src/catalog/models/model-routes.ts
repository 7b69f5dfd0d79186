import { isAdmin, type modelApi } from '@headgate/contract';
import { groupsOf } from '../../accounts/users/user-service.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import { modelsByType } from './known-models.ts';
import type { CatalogReader, ModelCatalogService } from './model-catalog-service.ts';

interface ModelServices {
  readonly modelCatalog: ModelCatalogService;
  /** True for an admin who must set up a second factor first. */
  readonly mustSetUpSecondFactor: (user: UserRow) => boolean;
}

export const modelRoutes = ({ modelCatalog, mustSetUpSecondFactor }: ModelServices): Handlers<typeof modelApi> => ({
  byType: () => modelsByType,
  catalog: ({ caller }) => modelCatalog.read(readerOf(caller, mustSetUpSecondFactor)),
});

function readerOf(
  caller: UserRow | undefined,
  mustSetUpSecondFactor: ModelServices['mustSetUpSecondFactor'],
): CatalogReader {
  if (!caller) return { role: 'visitor' };
  return isAdmin(caller) && !mustSetUpSecondFactor(caller)
    ? { role: 'admin' }
    : { role: 'user', groups: groupsOf(caller) };
}
