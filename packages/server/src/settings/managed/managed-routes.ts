import type { managedApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { ManagedRepository } from '../../platform/managed/managed-repository.ts';

export const managedRoutes = (managed: ManagedRepository): Handlers<typeof managedApi> => ({
  list: async () =>
    (await managed.marks()).filter(({ isInFile }) => isInFile).map(({ kind, name, id }) => ({ kind, name, id })),
});
