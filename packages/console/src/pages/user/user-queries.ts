import {
  groupApi,
  type Input,
  type ManageAction,
  secondFactorApi,
  type User,
  usageApi,
  userApi,
  userBulkApi,
  userExportApi,
  userSupportApi,
} from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallOptions, call, callList, callWithEnvelope } from '../../lib/api/call.ts';
import { requestExport } from '../../lib/api/export-call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const userList = 'user';

export const userFilterNames = ['role', 'group', 'quota_from', 'quota_below'] as const;
export type UserFilterName = (typeof userFilterNames)[number];
export type UserFilters = Readonly<Partial<Record<UserFilterName, string>>>;

type BulkInput = Input<typeof userBulkApi.run>['body'];
export type SelectedUsers = BulkInput['chosen'];

/** One page of users; uses the search with a keyword. */
export function readUsers(
  { keyword, ...state }: ListState,
  filters: UserFilters,
  signal: AbortSignal,
): Promise<ListPage<User>> {
  const query = { ...state, ...filters, order: state.order as '', sort: state.sort as undefined };
  return keyword === ''
    ? callList(userApi.list, { query }, { signal })
    : callList(userApi.search, { query: { ...query, keyword } }, { signal });
}

export const countUsers = (signal: AbortSignal) => call(userApi.counts, {}, { signal });

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [userList, 'one', id],
    queryFn: ({ signal }) => call(userApi.get, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const exportUsers = requestExport(userExportApi.all, userExportApi.chosen);

export const changeUsers = (body: BulkInput) => call(userBulkApi.run, { body });

export const undoUserChanges = (undo: string) => call(userBulkApi.undo, { body: { undo } });

export const userTokensQuery = (id: number) =>
  queryOptions({
    queryKey: [userList, 'tokens', id],
    queryFn: ({ signal }) => call(userSupportApi.tokens, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** Disables all tokens unless ids are given, so that only an admin can enable them. Returns their number. */
export const disableUserTokens = (id: number, body: Input<typeof userSupportApi.disableTokens>['body']) =>
  call(userSupportApi.disableTokens, { params: { id }, body });

export const enableUserTokens = (id: number, body: Input<typeof userSupportApi.enableTokens>['body']) =>
  call(userSupportApi.enableTokens, { params: { id }, body });

export const userSessionsQuery = (id: number) =>
  queryOptions({
    queryKey: [userList, 'sessions', id],
    queryFn: ({ signal }) => call(userSupportApi.sessions, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const revokeUserSessions = (id: number) => call(userSupportApi.endSessions, { params: { id } });

export const userModelsQuery = (id: number) =>
  queryOptions({
    queryKey: [userList, 'models', id],
    queryFn: ({ signal }) => call(userSupportApi.models, { params: { id } }, { signal }),
  });

const thirtyDays = 30 * 86_400;

/** Spend of the last thirty days by model. */
export const userSpendQuery = (id: number) =>
  queryOptions({
    queryKey: [userList, 'spend', id],
    queryFn: ({ signal }) => {
      const start_timestamp = Math.floor(Date.now() / 1000) - thirtyDays;
      return call(usageApi.read, { query: { user_id: id, rows: 'model', start_timestamp } }, { signal });
    },
  });

export const readUser = (id: number) => call(userApi.get, { params: { id } });

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(groupApi.list, {}, { signal }),
});

export const createUser = (body: Parameters<typeof call<typeof userApi.create>>[1]['body']) =>
  call(userApi.create, { body });

export const updateUser = (body: Parameters<typeof call<typeof userApi.update>>[1]['body'], options: CallOptions) =>
  call(userApi.update, { body }, options);

export const updateSelf = (body: Parameters<typeof call<typeof userApi.updateSelf>>[1]['body'], options: CallOptions) =>
  call(userApi.updateSelf, { body }, options);

/** Returns the resulting role and status, if the server sends them. */
export async function manageUser(username: string, action: ManageAction) {
  const { data } = await callWithEnvelope(userApi.manage, { body: { username, action } });
  return data;
}

export const resetSecondFactor = (id: number) => call(secondFactorApi.reset, { params: { id } });
