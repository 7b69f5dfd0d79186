import type { organizationDirectoryApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { DirectoryService } from './directory-service.ts';
import type { ScimTokenService } from './scim-token-service.ts';

interface DirectoryRoutesDependencies {
  readonly directory: DirectoryService;
  readonly scimTokens: ScimTokenService;
}

export const directoryRoutes = ({
  directory,
  scimTokens,
}: DirectoryRoutesDependencies): Handlers<typeof organizationDirectoryApi> => ({
  tokens: ({ caller, params }) => scimTokens.list(caller, params.id),
  createToken: ({ caller, params, body }) => scimTokens.create(caller, params.id, body.grace),
  revokeToken: async ({ caller, params }) => {
    await scimTokens.revoke(caller, params.id, params.scim_token);
    return undefined;
  },
  users: ({ caller, params }) => directory.users(caller, params.id),
  groups: ({ caller, params }) => directory.groups(caller, params.id),
  updateGroup: async ({ caller, params, body }) => {
    await directory.setGroupRole(caller, params.id, body);
    return undefined;
  },
});
