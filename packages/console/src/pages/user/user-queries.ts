import { groupApi, type ManageAction, secondFactorApi, type User, userApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callList, callWithTop } from '../../lib/call.ts';
import type { ListPart } from '../../lib/list.ts';
import type { ListState } from '../../lib/list-state.ts';

export const userList = 'user';

/** One page of the users: searched when there is a keyword. */
export function readUsers({ keyword, ...state }: ListState, signal: AbortSignal): Promise<ListPart<User>> {
  const query = { ...state, order: state.order as '', sort: state.sort as undefined };
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

export const readUser = (id: number) => call(userApi.get, { params: { id } });

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(groupApi.list, {}, { signal }),
});

export const createUser = (body: Parameters<typeof call<typeof userApi.create>>[1]['body']) =>
  call(userApi.create, { body });

export const updateUser = (body: Parameters<typeof call<typeof userApi.update>>[1]['body']) =>
  call(userApi.update, { body });

export const updateSelf = (body: Parameters<typeof call<typeof userApi.updateSelf>>[1]['body']) =>
  call(userApi.updateSelf, { body });

/** Gives the role and status the user has afterwards, if the server tells. */
export async function manageUser(username: string, action: ManageAction) {
  const { data } = await callWithTop(userApi.manage, { body: { username, action } });
  return data;
}

export const resetSecondFactor = (id: number) => call(secondFactorApi.reset, { params: { id } });
