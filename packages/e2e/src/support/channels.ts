import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Channel } from '@headgate/contract';
import { listedChannels } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import type { Product } from './product.ts';

export { createChannel, createManyChannels, findChannel, removeAllChannels } from '@headgate/testkit';

type ChannelMetrics = Partial<Pick<Channel, 'status' | 'response_time' | 'balance'>>;

/** Writes values to the database that otherwise only traffic and time would produce. */
export function setChannelMetrics(product: Product, { id }: Channel, measured: ChannelMetrics): void {
  const database = new DatabaseSync(join(product.folder, 'headgate.db'), { timeout: 30_000 });
  try {
    for (const [column, value] of Object.entries(measured))
      database.prepare(`update channels set ${column} = ? where id = ?`).run(value, id);
  } finally {
    database.close();
  }
}

/** Mocks the channel list, for values that no API call can set. */
export async function mockChannelList(page: Page, ...channels: readonly Partial<Channel>[]): Promise<void> {
  const data = listedChannels(channels);
  await page.route('**/api/channel/?*', (route) => route.fulfill({ json: { success: true, message: '', data } }));
}
