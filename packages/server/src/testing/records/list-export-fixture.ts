import {
  channelApi,
  channelExportApi,
  type Endpoint,
  redemptionApi,
  redemptionExportApi,
  tokenApi,
  tokenExportApi,
  userApi,
  userExportApi,
} from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { createChannel } from '../catalog/channel-fixtures.ts';
import type { TestApp } from '../test-app.ts';

export type Query = Readonly<Record<string, string | number>>;

/** Starts like a spreadsheet formula, and needs quotes in a CSV file. */
const formula = '=1+1, "quoted"';

interface ListedRow {
  readonly id: number;
  readonly [column: string]: unknown;
}

interface ListCase {
  readonly client: ApiClient;
  readonly search: Endpoint;
  readonly all: Endpoint;
  readonly chosen: Endpoint;
  /** Columns of the list that are not exported. */
  readonly hidden: readonly string[];
  readonly filters: readonly Query[];
}

/** Users, channels, tokens of two users, and redemption codes, with filters that match some of them. */
export async function listExportFixture(app: TestApp) {
  const [admin, owner, stranger] = await Promise.all([app.as('admin'), app.as('user'), app.as('user')]);
  await addRows(app, { admin, owner, stranger });
  const cases = {
    users: {
      client: admin,
      search: userApi.search,
      ...userExportApi,
      hidden: [],
      filters: [
        {},
        { keyword: 'BEN@' },
        { role: 10 },
        { status: 2, group: 'vip' },
        { quota_below: 0 },
        { quota_from: 1 },
      ],
    },
    tokens: {
      client: owner,
      search: tokenApi.search,
      ...tokenExportApi,
      hidden: ['key'],
      filters: [{}, { keyword: 'SPE' }, { status: 4 }, { status: 1, keyword: 'o' }],
    },
    channels: {
      client: admin,
      search: channelApi.search,
      ...channelExportApi,
      hidden: ['key', 'config', 'cooldown_seconds', 'paused_models'],
      filters: [
        {},
        { keyword: 'sk-secret-two' },
        { type: 8 },
        { group: 'vip' },
        { model: 'o3', tag: 'east' },
        { failing: 1 },
        { status: 3 },
      ],
    },
    codes: {
      client: admin,
      search: redemptionApi.search,
      ...redemptionExportApi,
      hidden: [],
      filters: [{}, { keyword: 'SPRING' }, { status: 3 }, { keyword: 'spring', status: 1 }],
    },
  } satisfies Readonly<Record<string, ListCase>>;
  return { admin, owner, stranger, cases };
}

type Clients = Readonly<Record<'admin' | 'owner' | 'stranger', ApiClient>>;

async function addRows(app: TestApp, { admin, owner, stranger }: Clients): Promise<void> {
  await app.createUser({ username: 'ann', display_name: formula, group: 'vip,default', quota: 900, status: 2 });
  await app.createUser({ username: 'ben', email: 'ben@example.com', quota: -5, used_quota: 1_250_000, role: 10 });
  await app.createUser({ username: 'gone', status: 3 });
  await createChannel(app, admin, {
    name: 'one',
    key: 'sk-secret-one',
    tag: 'east',
    models: 'gpt-4o,o3',
    type: 8,
    base_url: 'https://one.example',
  });
  await createChannel(app, admin, { name: formula, key: 'sk-secret-two', group: 'vip', system_prompt: 'Be short' });
  await createChannel(app, admin, {
    name: 'bedrock',
    key: '',
    type: 33,
    config: JSON.stringify({ region: 'eu-1', ak: 'AKSECRET', sk: 'SKSECRET' }),
  });
  await app.database.updateTable('channels').set({ is_failing: 1 }).where('name', '=', 'one').execute();
  for (const client of [owner, stranger]) {
    await client.call(tokenApi.create, { body: { name: formula, remain_quota: 500_000, models: 'o3', subnet: '::1' } });
    await client.call(tokenApi.create, { body: { name: 'spent', remain_quota: 0 } });
    await client.call(tokenApi.create, { body: { name: 'open', unlimited_quota: true } });
  }
  await admin.call(redemptionApi.create, { body: { name: 'spring', quota: 250_000, count: 3 } });
  await admin.call(redemptionApi.create, { body: { name: formula, quota: 10 } });
  const [code] = await admin.call(redemptionApi.search, { query: { keyword: 'spring', size: 1 } });
  await owner.call(userApi.redeem, { body: { key: code?.key ?? '' } });
}

/** All rows of a list, newest first, without the columns that are not exported. */
export async function listRows(
  { client, search, hidden }: Pick<ListCase, 'client' | 'search' | 'hidden'>,
  query: Query,
): Promise<ListedRow[]> {
  const rows: ListedRow[] = [];
  for (let p = 0; ; p += 1) {
    const { body } = await client.send(search, { query: { ...query, p, size: 100, sort: 'id', direction: 'desc' } });
    const page = (body as { data: ListedRow[] }).data;
    rows.push(...page.map((row) => without(row, hidden)));
    if (page.length < 100) return rows;
  }
}

const without = (row: ListedRow, hidden: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))) as ListedRow;
