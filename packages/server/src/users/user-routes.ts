import type { userApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
import { presentUser } from './user-repository.ts';
import type { UserService } from './user-service.ts';

export const userRoutes = (users: UserService): Handlers<typeof userApi> => ({
  self: ({ caller }) => presentUser(caller),
  updateSelf: async ({ caller, body, session }) => {
    await users.updateProfile(caller, body, session.id);
    return undefined;
  },
});
