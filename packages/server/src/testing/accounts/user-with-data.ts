import {
  accessTokenApi,
  budgetApi,
  limitRuleApi,
  payloadApi,
  planApi,
  sessionApi,
  tokenApi,
  tokenBulkApi,
  userBulkApi,
  userPlanApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { TestApp } from '../test-app.ts';

/** A user with one row of every kind that another user could refer to. */
export interface UserWithData {
  readonly id: number;
  readonly username: string;
  readonly token: number;
  readonly budgets: { readonly user: number; readonly token: number };
  /** Probe target that belongs to no user yet. */
  readonly limits: { readonly user: number; readonly token: number; readonly spare: number };
  readonly plan: number;
  readonly requestId: string;
  readonly session: string;
  readonly accessToken: number;
  readonly passkey: string;
  /** Undo id of a bulk edit of this user. */
  readonly undo: string;
  /** Undo id of a bulk edit of this user's tokens. */
  readonly tokenUndo: string;
}

/** Creates a user of the given role. Root sets everything up while the user is still an ordinary user. */
export async function createUserWithData(app: TestApp, root: ApiClient, role: number): Promise<UserWithData> {
  const { id, username, password } = await app.createUser({ quota: 1000 });
  const client = await app.signedIn(username, password);
  const { id: token } = await client.call(tokenApi.create, { body: { name: 'probe', unlimited_quota: true } });
  const { id: accessToken } = await client.call(accessTokenApi.create, { body: { name: 'probe', scope: 'read' } });
  const [session] = await client.call(sessionApi.list);
  const { undo: tokenUndo } = await client.call(tokenBulkApi.run, {
    body: { chosen: { ids: [token] }, change: { kind: 'note', note: 'probe' } },
  });
  const { undo } = await root.call(userBulkApi.run, {
    body: { chosen: { ids: [id] }, change: { kind: 'group', group: 'before' } },
  });
  const names = { requestId: `request-${id}`, passkey: `passkey-${id}` };
  const rows = await managedRows(root, id, token);
  await root.call(payloadApi.keep, { params: { id }, body: { hours: 1, kilobytes: 64 } });
  await insertRows(app, { id, token, ...names });
  await app.database.updateTable('users').set({ role }).where('id', '=', id).execute();
  return { id, username, token, accessToken, session: session?.id ?? '', undo, tokenUndo, ...names, ...rows };
}

async function managedRows(root: ApiClient, id: number, token: number) {
  const budget = (kind: 'user' | 'token', owner_id: number) =>
    root.call(budgetApi.create, { body: { kind, owner_id, amount: 5, period: 'month' } });
  const limit = async (names: { user_id?: number; token_id?: number }) =>
    (await root.call(limitRuleApi.create, { body: { ...names, measure: 'requests_per_minute', amount: 5 } })).id;
  const windows = [{ period: 'day' as const, amount: 5 }];
  const { id: plan_id } = await root.call(planApi.create, { body: { name: `probe ${id}`, days: 1, windows } });
  const { id: plan } = await root.call(userPlanApi.assign, { body: { user_id: id, plan_id } });
  return {
    plan,
    budgets: { user: (await budget('user', id)).id, token: (await budget('token', token)).id },
    limits: { user: await limit({ user_id: id }), token: await limit({ token_id: token }), spare: await limit({}) },
  };
}

interface InsertedRows extends Pick<UserWithData, 'id' | 'token' | 'requestId' | 'passkey'> {}

/** Rows that only a relayed request or a browser creates. */
async function insertRows({ database }: TestApp, { id, token, requestId, passkey }: InsertedRows): Promise<void> {
  const now = nowInSeconds();
  await database
    .insertInto('kept_bodies')
    .values({
      ...{ request_id: requestId, user_id: id, token_id: token, created_time: now, expires_time: now + 3600 },
      ...{ status: 200, request_bytes: 1, answer_bytes: 1, stored_bytes: 2 },
      ...{ request_sealed: Buffer.from('?'), answer_sealed: Buffer.from('?') },
    })
    .execute();
  await database
    .insertInto('passkeys')
    .values({
      ...{ id: passkey, user_id: id, public_key: '', counter: 0, transports: '', name: 'probe' },
      ...{ created_time: now, used_time: 0 },
    })
    .execute();
}

/** All stored data of a user, to compare before and after a call. */
export async function storedUserData({ database }: TestApp, { id, token }: UserWithData) {
  const of = (
    table: 'sessions' | 'access_tokens' | 'passkeys' | 'body_keepings' | 'kept_bodies' | 'tokens' | 'user_plans',
  ) => database.selectFrom(table).selectAll().where('user_id', '=', id).execute();
  return {
    user: await database.selectFrom('users').selectAll().where('id', '=', id).execute(),
    sessions: await of('sessions'),
    accessTokens: await of('access_tokens'),
    passkeys: await of('passkeys'),
    keepings: await of('body_keepings'),
    keptBodies: await of('kept_bodies'),
    tokens: await of('tokens'),
    plans: await of('user_plans'),
    budgets: await database.selectFrom('budgets').selectAll().where('owner_id', 'in', [id, token]).execute(),
    limits: await database
      .selectFrom('limit_rules')
      .selectAll()
      .where((where) => where.or([where('user_id', '=', id), where('token_id', '=', token)]))
      .orderBy('id')
      .execute(),
  };
}
