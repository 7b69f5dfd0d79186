import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Channel, channel } from '@headgate/contract';
import type { Page, Request } from '@playwright/test';
import type { Product } from './product.ts';

export { createChannel, createManyChannels, findChannel, removeAllChannels } from '@headgate/testkit';

type Measured = Partial<Pick<Channel, 'status' | 'response_time' | 'balance'>>;

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
