import type { Data, userApi, userBulkApi, userExportApi, userLimitApi, userSupportApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import { requestedFormat } from '../../records/exports/export-format.ts';
import type { ListExportService } from '../../records/exports/list-export-service.ts';
import type { AccountService } from './account-service.ts';
import type { UserAdminService } from './user-admin-service.ts';
import type { UserBulkService } from './user-bulk-service.ts';
import type { UserManagementService } from './user-management-service.ts';
import { presentUser, type UserListing, type UserRepository } from './user-repository.ts';
import { groupsOf, type UserService } from './user-service.ts';

interface AccessTokens {
  createUnnamed(caller: UserRow): Promise<string>;
}

interface Redemptions {
  redeem(user: UserRow, key: string): Promise<number>;
}

interface Channels {
  availableModels(groups: readonly string[]): Promise<string[]>;
}

interface Logs {
  dashboard(userId: number): Promise<Data<typeof userApi.dashboard>>;
}

interface UserRoutesDependencies {
  readonly userRepository: UserRepository;
  readonly users: UserService;
  readonly accounts: AccountService;
  readonly management: UserManagementService;
  readonly namedAccessTokens: AccessTokens;
  readonly redemptions: Redemptions;
  readonly channels: Channels;
  readonly logs: Logs;
}

export const userRoutes = (dependencies: UserRoutesDependencies): Handlers<typeof userApi> => {
  const { userRepository, users, accounts, management, namedAccessTokens, redemptions, channels, logs } = dependencies;
  const page = async (listing: UserListing) => {
    const { rows, total } = await userRepository.page(listing);
    return { rows: rows.map(presentUser), total };
  };
  return {
    list: ({ query }) => page(query),
    search: ({ query }) => page(query),
    counts: async () =>
      Object.fromEntries((await userRepository.countByStatus()).map(({ status, count }) => [status, count])),

    self: ({ caller }) => presentUser(caller),
    updateSelf: async ({ caller, body, session }) => {
      if (body.password !== undefined) await session.requireProof(caller);
      await users.updateProfile(caller, body, session.id);
      return undefined;
    },
    removeSelf: async ({ caller, session }) => {
      await accounts.closeOwn(caller);
      await session.end();
      return undefined;
    },
    makeAccessToken: ({ caller }) => namedAccessTokens.createUnnamed(caller),
    inviteCode: ({ caller }) => users.inviteCode(caller),
    redeem: ({ caller, body }) => redemptions.redeem(caller, body.key),
    availableModels: ({ caller }) => channels.availableModels(groupsOf(caller)),
    dashboard: ({ caller }) => logs.dashboard(caller.id),

    get: async ({ caller, params }) => presentUser(await management.get(caller, params.id)),
    create: async ({ caller, body }) => {
      await management.create(caller, body);
      return undefined;
    },
    update: async ({ caller, body, session }) => {
      // Root can edit its own row here, so a password change requires a proof of identity.
      if (body.password !== undefined && body.id === caller.id) await session.requireProof(caller);
      await management.update(caller, body, session.id);
      return undefined;
    },
    manage: ({ caller, body }) => management.manage(caller, body.username, body.action),
    remove: async ({ caller, params }) => {
      await management.remove(caller, params.id);
      return undefined;
    },
    topUp: async ({ caller, body }) => {
      await management.topUp(caller, body);
      return undefined;
    },
  };
};

export const userBulkRoutes = (bulk: UserBulkService): Handlers<typeof userBulkApi> => ({
  run: ({ caller, client, body }) => bulk.run(caller, body, client.language),
  undo: ({ caller, client, body }) => bulk.undo(caller, body.undo, client.language),
});

export const userAdminRoutes = (care: UserAdminService): Handlers<typeof userSupportApi> => ({
  tokens: ({ caller, params }) => care.tokens(caller, params.id),
  createToken: ({ caller, params, body }) => care.createToken(caller, params.id, body),
  bindToken: async ({ caller, params, body }) => {
    await care.bindToken(caller, params.id, body);
    return undefined;
  },
  disableTokens: ({ caller, params, body }) => care.disableTokens(caller, params.id, body),
  enableTokens: ({ caller, params, body }) => care.enableTokens(caller, params.id, body),
  sessions: ({ caller, params }) => care.sessions(caller, params.id),
  endSessions: async ({ caller, params }) => {
    await care.endSessions(caller, params.id);
    return undefined;
  },
  models: ({ caller, params }) => care.models(caller, params.id),
});

export const userLimitRoutes = (care: UserAdminService): Handlers<typeof userLimitApi> => ({
  read: ({ caller, params }) => care.limits(caller, params.id),
});

export const userExportRoutes = (lists: ListExportService): Handlers<typeof userExportApi> => ({
  all: ({ caller, client, query }) =>
    lists.start(caller, { list: 'users', chosen: { filter: query }, format: requestedFormat(query, client) }),
  chosen: ({ caller, client, body }) =>
    lists.start(caller, { list: 'users', chosen: { ids: body.ids }, format: requestedFormat(body, client) }),
});
