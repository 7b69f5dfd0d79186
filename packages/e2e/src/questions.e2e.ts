import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Channel, channelApi, logApi, tokenApi, tokenStatus } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel } from './channels.ts';
import { asRoot, clientOf, createPerson, freshName, type Person, rootAccount, setOption, signInAs } from './people.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';
import { Steps } from './steps.ts';

const azureType = 3;
const azureCount = 40;
const monthOfRows = 2000;

const completion = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 100_000, completion_tokens: 10_000, total_tokens: 110_000 },
});
const refused = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

interface Scene {
  readonly product: Product;
  readonly spender: Person;
  readonly broken: Channel;
  readonly unpriced: string;
  close(): Promise<void>;
}

let scene: Scene;

/** A gateway in use: forty Azure channels, one that fails, one with a purchase price, a model nobody priced. */
async function furnishGateway(): Promise<Scene> {
  const product = await startProduct();
  const { url } = product;
  await setOption(url, 'ModelsWithoutPrice', 'charge');
  const root = await asRoot(url);
  const [good, bad] = [await StubUpstream.start(completion), await StubUpstream.start(refused)];
  const key = Array.from({ length: azureCount }, (_, index) => `key-${index}`).join('\n');
  const azure = { type: azureType, base_url: 'https://eu.openai.azure.com', other: '2024-10-21', models: 'gpt-4o' };
  await root.call(channelApi.create, { body: { name: 'azure', key, ...azure, group: 'azure-users' } });
  const broken = await createChannel(url, { name: freshName('broken'), type: 8, base_url: bad.url, group: 'nobody' });
  await root.send(channelApi.test, { params: { id: broken.id }, query: {} });
  const unpriced = freshName('house-model');
  await createChannel(url, {
    name: 'resold',
    type: 8,
    base_url: good.url,
    models: `gpt-4o,${unpriced}`,
    purchase: JSON.stringify({ multiplier: 0.6 }),
  });
  const spender = await createPerson(url, { quota: 500_000_000 });
  const client = await clientOf(url, spender);
  for (const name of ['laptop', 'server', 'phone'])
    await client.call(tokenApi.create, { body: { name, unlimited_quota: true } });
  const [token] = await client.call(tokenApi.list, { query: {} });
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(answer.status).toBe(200);
  const close = async () => {
    await Promise.all([good.close(), bad.close()]);
    await product.stop();
  };
  return { product, spender, broken, unpriced, close };
}

test.beforeAll(async () => {
  scene = await furnishGateway();
});
test.afterAll(() => scene.close());

async function home(page: Page): Promise<Steps> {
  await signInAs(page, rootAccount, scene.product.url);
  await page.goto(`${scene.product.url}/`);
  await expect(page.getByRole('heading', { name: 'Channels', level: 2, exact: true })).toBeVisible();
  return new Steps(page);
}

const palette = (page: Page) => page.getByRole('combobox', { name: 'Go to or do anything' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

/** Charge of the one request: 100,000 tokens at $2.50 and 10,000 at $10 per million. */
const spend = '$0.35';

/** Each question is asked on one screen: only the way into the palette differs. */
const openPalette = (steps: Steps) => steps.press('Control+k');
const openPaletteOnPhone = (page: Page, steps: Steps) => steps.click(page.getByRole('button', { name: 'Go to…' }));

test.describe('from Home in at most three steps, on a wide screen', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('which channels fail today, and why', async ({ page }) => {
    const steps = await home(page);
    await steps.click(page.getByRole('link', { name: '1 failing' }));
    await expect(page).toHaveURL(/\/channel\?failing=1/);
    const found = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: scene.broken.name });
    await expect(found).toContainText('401 Incorrect API key provided');
    steps.expectAtMost(3);
  });

  test('the priority of all Azure channels', async ({ page }) => {
    const steps = await home(page);
    const priority = 9;
    await openPalette(steps);
    await steps.type(palette(page), 'azure');
    await steps.click(option(page, 'Priority of all channels: Azure'));
    await steps.type(page.getByRole('textbox', { name: 'Priority', exact: true }), String(priority));
    await steps.click(page.getByRole('button', { name: `Change ${azureCount} channels` }));
    await expect(page.getByText(`${azureCount} changed`)).toBeVisible();
    steps.expectAtMost(3);
    const channels = await (await asRoot(scene.product.url)).call(channelApi.list, { query: { size: 100 } });
    expect(channels.filter((channel) => channel.priority === priority)).toHaveLength(azureCount);
    expect(channels.every(({ type, priority: now }) => type === azureType || now !== priority)).toBe(true);
  });

  test('all tokens of a user off', async ({ page }) => {
    const person = await createPerson(scene.product.url);
    const client = await clientOf(scene.product.url, person);
    for (const name of ['one', 'two']) await client.call(tokenApi.create, { body: { name } });
    const steps = await home(page);
    await openPalette(steps);
    await steps.type(palette(page), person.username);
    await steps.click(option(page, `Disable all tokens of ${person.username}`));
    await steps.click(page.getByRole('dialog').getByRole('button', { name: 'Disable all tokens' }));
    await expect(page.getByText(/^\d tokens disabled$/)).toBeVisible();
    steps.expectAtMost(3);
    const tokens = await client.call(tokenApi.list, { query: {} });
    expect(tokens.length).toBeGreaterThanOrEqual(2);
    expect(tokens.every(({ status }) => status === tokenStatus.disabled)).toBe(true);
  });

  test('the margin by channel', async ({ page }) => {
    const steps = await home(page);
    await steps.click(page.getByRole('link', { name: /Show all in usage.*Top channels/ }));
    const table = page.getByRole('region', { name: 'Usage as a table' });
    // Sold at the list price and bought at three fifths of it.
    for (const figure of [spend, '$0.21', '$0.14']) await expect(table).toContainText(figure);
    await expect(table.getByText('Margin')).not.toHaveCount(0);
    steps.expectAtMost(3);
  });
});

test.describe('from Home in at most three steps, on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('what a user spent this month, by model', async ({ page }) => {
    const steps = await home(page);
    await openPaletteOnPhone(page, steps);
    await steps.type(palette(page), scene.spender.username);
    await steps.click(option(page, `Spend of ${scene.spender.username} this month`));
    await expect(page.getByRole('region', { name: 'Usage as a table' })).toContainText('gpt-4o');
    await expect(page.getByRole('link', { name: spend }).first()).toBeVisible();
    steps.expectAtMost(3);
  });

  test('a model into forty channels', async ({ page }) => {
    const steps = await home(page);
    const model = 'gpt-5';
    await openPaletteOnPhone(page, steps);
    await steps.type(palette(page), 'azure');
    await steps.click(option(page, 'Models of all channels: Azure'));
    await steps.type(page.getByRole('dialog').getByLabel('Models', { exact: true }), `${model},`);
    await steps.click(page.getByRole('button', { name: `Change ${azureCount} channels` }));
    await expect(page.getByText(`${azureCount} changed`)).toBeVisible();
    steps.expectAtMost(3);
    const query = { size: 100, model };
    expect(await (await asRoot(scene.product.url)).call(channelApi.list, { query })).toHaveLength(azureCount);
  });

  test('models without a price', async ({ page }) => {
    const steps = await home(page);
    await steps.click(page.getByRole('link', { name: '1 without a price' }));
    await expect(page).toHaveURL(/\/prices\?status=1/);
    await expect(page.getByText(scene.unpriced, { exact: true })).toBeVisible();
    steps.expectAtMost(3);
  });
});

test('from Home in at most three steps, a month of logs as a file', async ({ page }) => {
  const { product, spender } = scene;
  seedLogs(product, { owner: spender, count: monthOfRows, newest: Math.floor(Date.now() / 1000) - 60 });
  const steps = await home(page);
  await steps.click(page.getByRole('navigation').getByRole('link', { name: 'Logs', exact: true }));
  await steps.click(page.getByRole('button', { name: '30 days' }));
  const downloaded = page.waitForEvent('download');
  await steps.click(page.getByRole('button', { name: 'Export CSV' }));
  steps.expectAtMost(3);
  const { rows, total } = await (await asRoot(product.url)).page(logApi.list, { query: { size: 1 } });
  expect([rows.length, (total ?? 0) >= monthOfRows]).toEqual([1, true]);
  const path = await (await downloaded).path();
  let last = '';
  for await (const line of createInterface({ input: createReadStream(path) })) if (line !== '') last = line;
  expect(last).toMatch(new RegExp(`${total} of ${total} rows$`));
});
