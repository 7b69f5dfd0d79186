import { alertApi, type Channel, channelApi, tokenApi, tokenStatus } from '@headgate/contract';
import {
  asRoot,
  createChannel,
  createTestUser,
  type Gateway,
  reply,
  rootAccount,
  StubUpstream,
  seedLogs,
  setOption,
  signedInClient,
  startGateway,
  type TestUser,
  uniqueName,
} from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nativeFetch } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { address, findButton, findRow } from '../../testing/page.ts';
import { collectSavedFiles } from '../../testing/saved-files.ts';
import { Steps } from '../../testing/steps.ts';
import { customChannel, invalidKeyResponse } from '../../testing/upstream.ts';

// Common operator tasks, starting from Home. Each click and each key press is a step; typing starts in the focused
// field.

const azureType = 3;
const azureCount = 40;
const monthOfRows = 2000;

/** Charge for the only request: 100,000 tokens at $2.50 and 10,000 at $10 per million. */
const spend = '$0.35';
const completion = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 100_000, completion_tokens: 10_000, total_tokens: 110_000 },
});

interface UsedGateway {
  readonly gateway: Gateway;
  readonly spender: TestUser;
  readonly broken: Channel;
  readonly unpriced: string;
  close(): Promise<void>;
}

let fixture: UsedGateway;

beforeAll(async () => {
  fixture = await startUsedGateway();
});
afterAll(() => fixture.close());

/**
 * Starts a gateway with forty Azure channels, one failing channel, one with a purchase price, and an unpriced model.
 */
async function startUsedGateway(): Promise<UsedGateway> {
  const gateway = await startGateway();
  const { url } = gateway;
  await setOption(url, 'ModelsWithoutPrice', 'charge');
  const root = await asRoot(url);
  const [good, bad] = [await StubUpstream.start(completion), await StubUpstream.start(invalidKeyResponse)];
  const key = Array.from({ length: azureCount }, (_, index) => `key-${index}`).join('\n');
  const azure = { type: azureType, base_url: 'https://eu.openai.azure.com', other: '2024-10-21', models: 'gpt-4o' };
  await root.call(channelApi.create, { body: { name: 'azure', key, ...azure, group: 'azure-users' } });
  const broken = await createChannel(url, { type: customChannel, base_url: bad.url, group: 'unused' });
  await root.send(channelApi.test, { params: { id: broken.id }, query: {} });
  const unpriced = uniqueName('house-model');
  const purchase = JSON.stringify({ multiplier: 0.6 });
  const resold = { name: 'resold', type: customChannel, base_url: good.url, models: `gpt-4o,${unpriced}`, purchase };
  await createChannel(url, resold);
  const spender = await createTestUser(url, { quota: 500_000_000 });
  await sendRequest(url, spender);
  const close = async () => {
    await Promise.all([good.close(), bad.close()]);
    await gateway.stop();
  };
  return { gateway, spender, broken, unpriced, close };
}

async function sendRequest(url: string, person: TestUser): Promise<void> {
  const client = await signedInClient(url, person);
  const token = await client.call(tokenApi.create, { body: { name: 'laptop', unlimited_quota: true } });
  const response = await nativeFetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

async function openHome(width?: number) {
  const network = new Network(fixture.gateway.url);
  const { user } = await openWithNavigation('/', { as: rootAccount, network, ...(width !== undefined && { width }) });
  await screen.findByRole('heading', { name: 'Channels', level: 2 });
  return new Steps(user);
}

const findPalette = () => screen.findByRole('combobox', { name: 'Search or run a command' });
const findOption = (name: string) => screen.findByRole('option', { name });
const findLink = (name: string | RegExp) => screen.findByRole('link', { name });
const openPalette = (steps: Steps) => steps.press('{Control>}k{/Control}');
const usageText = async () => (await screen.findByRole('region', { name: 'Usage table' })).textContent;

it("shows today's failing channels with the reason", async () => {
  const steps = await openHome();
  await steps.click(await findLink('1 failing'));
  await expect.poll(address).toMatch(/^\/channel\?failing=1/);
  expect((await findRow(fixture.broken.name)).textContent).toContain('401 Incorrect API key provided');
  steps.expectAtMost(2);
});

it('sets the priority of all Azure channels', async () => {
  const steps = await openHome();
  const priority = 9;
  await openPalette(steps);
  await steps.type(await findPalette(), 'azure');
  await steps.click(await findOption('Edit priority of all Azure OpenAI channels'));
  await steps.type(await screen.findByRole('textbox', { name: 'Priority' }), String(priority));
  await steps.click(await findButton(`Change ${azureCount} channels`));
  await screen.findByText(`${azureCount} changed`);
  steps.expectAtMost(3);
  const channels = await (await asRoot(fixture.gateway.url)).call(channelApi.list, { query: { size: 100 } });
  expect(channels.filter((channel) => channel.priority === priority)).toHaveLength(azureCount);
  expect(channels.every(({ type, priority: now }) => type === azureType || now !== priority)).toBe(true);
});

it('disables all tokens of a user', async () => {
  const { url } = fixture.gateway;
  const person = await createTestUser(url);
  const client = await signedInClient(url, person);
  for (const name of ['one', 'two']) await client.call(tokenApi.create, { body: { name } });
  const steps = await openHome();
  await openPalette(steps);
  await steps.type(await findPalette(), person.username);
  await steps.click(await findOption(`Disable all tokens of ${person.username}`));
  const dialog = await screen.findByRole('dialog', { name: /Disable all tokens/ });
  await steps.click(within(dialog).getByRole('button', { name: 'Disable all tokens' }));
  await screen.findByText(/^\d tokens disabled$/);
  steps.expectAtMost(3);
  const tokens = await client.call(tokenApi.list, { query: {} });
  expect(tokens.length).toBeGreaterThanOrEqual(2);
  expect(tokens.every(({ status }) => status === tokenStatus.disabled)).toBe(true);
});

it('shows the margin by channel', async () => {
  const steps = await openHome();
  await steps.click(await findLink(/Show all in usage.*Top channels/));
  // Sold at the list price and bought at 60 % of it.
  for (const text of [spend, '$0.21', '$0.14', 'Margin']) await expect.poll(usageText).toContain(text);
  steps.expectAtMost(2);
});

it("shows a user's spend by model this month, on a phone", async () => {
  const steps = await openHome(phoneWindowWidth);
  await steps.click(await findButton('Go to…'));
  await steps.type(await findPalette(), fixture.spender.username);
  await steps.click(await findOption(`Spend of ${fixture.spender.username} this month`));
  await expect.poll(usageText).toContain('gpt-4o');
  expect(await screen.findAllByRole('link', { name: spend })).not.toEqual([]);
  steps.expectAtMost(3);
});

it('shows models without a price, on a phone', async () => {
  const steps = await openHome(phoneWindowWidth);
  await steps.click(await findLink('1 without a price'));
  await expect.poll(address).toMatch(/^\/prices\?status=1/);
  await screen.findByText(fixture.unpriced);
  steps.expectAtMost(1);
});

it('exports one month of logs', async () => {
  const files = collectSavedFiles();
  const { gateway, spender } = fixture;
  seedLogs(gateway, { owner: spender, count: monthOfRows, newest: Math.floor(Date.now() / 1000) - 60 });
  const steps = await openHome();
  await steps.click(within(screen.getByRole('navigation', { name: 'Main menu' })).getByRole('link', { name: 'Logs' }));
  await steps.click(await findButton('30 days'));
  await screen.findByRole('button', { name: 'Time range: Last 30 days' });
  await steps.click(await findButton('Export CSV'));
  steps.expectAtMost(3);
  await expect.poll(() => files.length).toBe(1);
  const [, rows, all] = /(\d+) of (\d+) rows$/.exec((await files[0]?.lines())?.at(-1) ?? '') ?? [];
  expect(Number(rows)).toBeGreaterThanOrEqual(monthOfRows);
  expect(all).toBe(rows);
});

it('creates an alert for automatically disabled channels', async () => {
  const root = await asRoot(fixture.gateway.url);
  const settings = { address: 'https://hooks.example.com/night', secret: 'a-secret-of-many-characters' };
  await root.call(alertApi.addReceiver, { body: { kind: 'webhook', name: 'Night shift', settings } });
  const steps = await openHome();
  await openPalette(steps);
  await steps.type(await findPalette(), 'alerts');
  await steps.click(await findOption('Alerts'));
  await screen.findByText('Night shift');
  await steps.click(await findButton('Add rule'));
  await steps.click(await findButton('Save'));
  steps.expectAtMost(5);
  await expect
    .poll(async () => (await root.call(alertApi.rules)).map(({ kind }) => kind))
    .toEqual(['channel_disabled']);
});

it('makes the status page public', async () => {
  const steps = await openHome();
  await openPalette(steps);
  await steps.type(await findPalette(), 'status page');
  await steps.click(await screen.findByRole('option', { name: /^Show a public status page/ }));
  await steps.click(await screen.findByRole('switch', { name: 'Show a public status page' }));
  steps.expectAtMost(3);
  const visitor = (await fetch(`${fixture.gateway.url}/api/public_status`)).json();
  await expect(visitor).resolves.toMatchObject({ success: true });
});

it('compares two models side by side', async () => {
  const root = await asRoot(fixture.gateway.url);
  await root.call(tokenApi.create, { body: { name: 'own', unlimited_quota: true } });
  const steps = await openHome();
  const menu = within(screen.getByRole('navigation', { name: 'Main menu' }));
  await steps.click(menu.getByRole('link', { name: 'Playground' }));
  await steps.click(await findButton('Compare two models'));
  await steps.type(await screen.findByRole('textbox', { name: 'Message' }), 'Write a haiku about a river');
  await steps.press('{Control>}{Enter}{/Control}');
  expect(await screen.findAllByRole('article', { name: /^Response from/ })).toHaveLength(2);
  steps.expectAtMost(3);
});
