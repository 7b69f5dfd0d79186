import type { jwtIssuerApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { JwtIssuerService } from './jwt-issuer-service.ts';

export const jwtIssuerRoutes = (issuers: JwtIssuerService): Handlers<typeof jwtIssuerApi> => ({
  list: ({ caller, params }) => issuers.list(caller, params.id),
  create: ({ caller, params, body }) => issuers.create(caller, params.id, body),
  update: ({ caller, params, body }) => issuers.update(caller, params.id, body),
  remove: async ({ caller, params }) => {
    await issuers.remove(caller, params.id, params.jwt_issuer);
    return undefined;
  },
});
