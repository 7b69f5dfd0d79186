import { channelApi, type Input, tokenApi } from '@headgate/contract';
import { type ApiClient, StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { TestApp } from '../test-app.ts';

export interface RelayFixtureOptions {
  readonly quota?: number;
  /** Group name; unique by default. */
  readonly group?: string;
  readonly token?: Partial<Input<typeof tokenApi.create>['body']>;
  /** Each gets its own channel and upstream; channels are tried in this order. */
  readonly upstreams?: readonly UpstreamHandler[];
  readonly channel?: Readonly<Record<string, unknown>>;
}

let scenes = 0;

/**
 * A user with a token, and channels to stub upstreams in a separate group, so that fixtures do not affect each other.
 */
export async function relayFixture(app: TestApp, options: RelayFixtureOptions = {}) {
  scenes += 1;
  const group = options.group ?? `scene${scenes}`;
  const admin = await adminOf(app);
  const responses = options.upstreams ?? [];
  const upstreams = await Promise.all(responses.map((response) => StubUpstream.start(response)));
  for (const [index, upstream] of upstreams.entries()) {
    await createChannel(admin, group, upstream.url, { priority: responses.length - index, ...options.channel });
  }
  const user = await app.createUser({ group, quota: options.quota ?? 1_000_000 });
  const client = await app.signedIn(user.username, user.password);
  const token = await client.call(tokenApi.create, {
    body: { name: 'relay', unlimited_quota: true, ...options.token },
  });
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  const chat = (body: object = {}, init: RequestInit = {}) =>
    post('/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }, init);
  return {
    admin,
    client,
    user,
    token,
    upstreams,
    group,
    post,
    chat,
    /** Stored state of the user, the token and the requests. */
    books: () => readLedger(app, user.id, token.id),
    close: () => Promise.all(upstreams.map((upstream) => upstream.close())),
  };
}

/** One admin for all fixtures of an app, because creating it and signing in takes a third of a fixture's setup time. */
const admins = new WeakMap<TestApp, Promise<ApiClient>>();

function adminOf(app: TestApp): Promise<ApiClient> {
  const admin = admins.get(app) ?? app.as('admin');
  admins.set(app, admin);
  return admin;
}

export async function createChannel(admin: ApiClient, group: string, url: string, fields: object = {}): Promise<void> {
  const body = {
    name: group,
    type: 8,
    key: 'upstream-key-123456',
    base_url: url,
    models: 'gpt-4o,gpt-3.5-turbo',
    group,
  };
  await admin.call(channelApi.create, { body: { ...body, ...fields } });
}

async function readLedger(app: TestApp, userId: number, tokenId: number) {
  const { database } = app;
  const user = await database
    .selectFrom(currentTable(database, 'users'))
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const token = await database
    .selectFrom(currentTable(database, 'tokens'))
    .selectAll()
    .where('id', '=', tokenId)
    .executeTakeFirst();
  const logs = await database
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('type', 'in', [2, 5])
    .orderBy('id')
    .execute();
  return { user, token, logs, drift: user.credited - user.quota - user.used_quota };
}
