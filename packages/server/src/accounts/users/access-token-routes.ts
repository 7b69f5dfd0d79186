import type { accessTokenApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { NamedAccessTokenService } from './named-access-token-service.ts';

export const accessTokenRoutes = (accessTokens: NamedAccessTokenService): Handlers<typeof accessTokenApi> => ({
  list: ({ caller }) => accessTokens.list(caller),
  create: ({ caller, body }) => accessTokens.create(caller, body),
  revoke: async ({ caller, params }) => {
    await accessTokens.revoke(caller, params.id);
    return undefined;
  },
});
