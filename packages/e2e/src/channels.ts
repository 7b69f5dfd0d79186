import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Channel, channel, channelApi, type Input } from '@headgate/contract';
import type { Page, Request } from '@playwright/test';
import { asRoot, freshName } from './people.ts';
import type { Product } from './product.ts';

type Measured = Partial<Pick<Channel, 'status' | 'response_time' | 'balance'>>;

type NewChannel = Partial<Input<typeof channelApi.create>['body']>;

/** A new channel of its own for a test. */
export async function createChannel(url: string, wanted: NewChannel = {}): Promise<Channel> {
  const root = await asRoot(url);
  const { name = freshName('ch'), key = `key-of-${name}`, models = 'gpt-4o,gpt-4o-mini' } = wanted;
  await root.call(channelApi.create, { body: { ...wanted, name, key, models } });
  return findChannel(url, name);
}

/** The stored channel of this name. */
export async function findChannel(url: string, name: string): Promise<Channel> {
  const [channel] = await findChannels(url, name);
  if (channel?.name !== name) throw new Error(`No channel is called ${name}`);
  return channel;
}

/** The stored channels whose names contain this, oldest first. */
export async function findChannels(url: string, keyword: string): Promise<readonly Channel[]> {
  const root = await asRoot(url);
  return root.call(channelApi.search, { query: { keyword, sort: 'id' } });
}

/** Deletes every channel, for tests that act on all of them. */
export async function removeAllChannels(url: string): Promise<void> {
  const root = await asRoot(url);
  for (;;) {
    const page = await root.call(channelApi.list, { query: { size: 100 } });
    if (page.length === 0) return;
    for (const { id } of page) await root.call(channelApi.remove, { params: { id } });
  }
}

/** Stores what only traffic and time bring about. */
export function measureChannel(product: Product, { id }: Channel, measured: Measured): void {
  const database = new DatabaseSync(join(product.folder, 'headgate.db'), { timeout: 30_000 });
  try {
    for (const [column, value] of Object.entries(measured))
      database.prepare(`update channels set ${column} = ? where id = ?`).run(value, id);
  } finally {
    database.close();
  }
}

const plainChannel: Channel = channel.parse({
  id: 1,
  type: 1,
  key: '',
  status: 1,
  status_reason: '',
  name: 'somebody',
  weight: 0,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'gpt-4o',
  group: 'default',
  used_quota: 0,
  model_mapping: '',
  priority: 0,
  config: '',
  system_prompt: '',
});

/** Shows a list that the server does not have: for what cannot be brought about by calls. */
export async function answerList(page: Page, ...channels: readonly Partial<Channel>[]): Promise<void> {
  const data = channels.map((channel, index) => ({ ...plainChannel, id: index + 1, ...channel }));
  await page.route('**/api/channel/?*', (route) => route.fulfill({ json: { success: true, message: '', data } }));
}

/** The next request of this kind. */
export const sent = (page: Page, method: string, path: string): Promise<Request> =>
  page.waitForRequest((request) => request.method() === method && new URL(request.url()).pathname === path);

/** How many requests of this kind were made so far. */
export function countSent(page: Page, method: string, path: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
}

/** Many channels in one call; their names begin with what this gives back. */
export async function createManyChannels(url: string, count: number): Promise<string> {
  const name = freshName('many');
  const key = Array.from({ length: count }, (_, index) => `key-${index}-of-${name}`).join('\n');
  await (await asRoot(url)).call(channelApi.create, { body: { name, key, models: 'gpt-4o' } });
  return name;
}
