import { channelApi, tokenApi } from '@headgate/contract';
import {
  asRoot,
  completion,
  createTestUser,
  rootAccount,
  seedLogs,
  signedInClient,
  startGateway,
  uniqueName,
} from '@headgate/testkit';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { advanceTime, expectWithoutDelay, stopClock } from '../../testing/clock.ts';
import { gatewayUrl, nativeFetch, workerGateway } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { address, expectAddress, findButton } from '../../testing/page.ts';
import { customChannel, startUpstream } from '../../testing/upstream.ts';

const now = () => Math.floor(Date.now() / 1000);
const main = () => within(screen.getByRole('main'));

/** Creates a user with this number of requests for a new model, the latest one just now. */
async function spender(count: number, quota?: number) {
  const owner = await createTestUser(await gatewayUrl(), { quota: 1_000_000 });
  const model = uniqueName('much');
  seedLogs(await workerGateway(), { owner, count, newest: now(), model, ...(quota !== undefined && { quota }) });
  return { owner, model };
}

/** Linked value of the card with this name. */
const findFigure = (name: string): Promise<HTMLElement> =>
  waitFor(() => {
    const card = main().getAllByText(name, { selector: 'p' })[0]?.parentElement as HTMLElement;
    return within(card).getByRole('link');
  });

const findUsageRow = (name: RegExp) =>
  waitFor(() => within(screen.getByRole('region', { name: 'Usage table' })).getByRole('row', { name }));

it("shows a user's spend by model this month in two steps", async () => {
  // Costs more than in any other test, so that the user is among the top five.
  const { owner, model } = await spender(3, 100_000_000);
  for (const width of [1280, phoneWindowWidth]) {
    const { user } = await openConsole('/', { as: rootAccount, width });
    await user.click(await screen.findByRole('link', { name: owner.username }));
    if (width === phoneWindowWidth)
      await user.selectOptions(await screen.findByRole('combobox', { name: 'Time range' }), 'This month');
    else await user.click(await findButton('This month'));
    await findUsageRow(new RegExp(model));
    screen.getByText(`User: ${owner.username}`);
  }
});

it('links metrics to their rows', async () => {
  await spender(3);
  const { user, network } = await openConsole('/', { as: rootAccount });
  await user.click(await screen.findByText('7 days'));
  await expectAddress('/?range=7d');
  const requests = await findFigure('Requests');
  const count = requests.textContent;
  await user.click(requests);
  await expect.poll(async () => (await findUsageRow(/^Total/)).querySelector('td')?.textContent).toBe(count);
  const again = (await openConsole('/?range=7d', { network })).user;
  const failures = await findFigure('Failures');
  const failed = failures.textContent ?? '';
  await again.click(failures);
  await expect.poll(address).toMatch(/^\/log\?.*type=5/);
  await expect.poll(() => screen.getByRole('heading', { level: 1 }).textContent).toContain(failed);
});

it('shows the timeline as a table, and links to the same data in usage', async () => {
  await spender(3);
  const { user } = await openConsole('/', { as: rootAccount });
  const timeline = () => screen.getByRole('region', { name: 'Over time' });
  const rowCount = () => document.querySelectorAll('main section tr').length;
  await expect.poll(rowCount).toBe(25);
  await user.click(main().getByText('7 days'));
  await expect.poll(rowCount).toBe(8);
  await user.click(within(timeline()).getAllByText('Failures', { selector: 'span' })[0] as HTMLElement);
  await expect.poll(() => within(timeline()).getByRole('radio', { name: 'Failures' })).toHaveProperty('checked', true);
  await user.click(within(timeline()).getByRole('link', { name: /Show all in usage.*Over time/ }));
  await expectAddress('/usage?range=7d&rows=day&columns=none&measure=failures');
});

it('shows users their balance, spend by model, and tokens that expire soon', async () => {
  const { owner, model } = await spender(40);
  const client = await signedInClient(await gatewayUrl(), owner);
  const body = { name: 'ending', unlimited_quota: true, expired_time: now() + 86_400 };
  await client.call(tokenApi.create, { body });
  const { user } = await openConsole('/', { as: owner });
  await screen.findByRole('link', { name: '$2.00' });
  const token = await screen.findByRole('link', { name: 'ending' });
  expect(token.getAttribute('href')).toMatch(/^\/token\/edit\/\d+$/);
  await user.click(await screen.findByRole('link', { name: /Show all in usage.*This month by model/ }));
  await findUsageRow(new RegExp(model));
});

it('shows the steps to the first request, and marks each as done without a reload', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.stop());
  const { url } = gateway;
  const upstream = await startUpstream(completion());
  const root = await asRoot(url);
  stopClock();
  await openConsole('/', { as: rootAccount, network: new Network(url) });
  const waiting = () => screen.queryByText(/^Waiting for your first request…/);
  await expectWithoutDelay(waiting);
  screen.getByRole('link', { name: 'Change the default password' });
  const channel = { name: 'first', type: customChannel, key: 'k', base_url: upstream.url, models: 'gpt-4o' };
  await root.call(channelApi.create, { body: { ...channel, group: 'default' } });
  const [{ id } = { id: 0 }] = await root.call(channelApi.list, { query: {} });
  await root.send(channelApi.test, { params: { id }, query: {} });
  const { key } = await root.call(tokenApi.create, { body: { name: 'first', unlimited_quota: true } });
  await advanceTime(3000);
  const isDone = (text: string) =>
    [...document.querySelectorAll('main ol li')].some(
      (step) => step.textContent === text && step.querySelector('[aria-label="Done"]'),
    );
  for (const text of ['Add your first channel', 'Test the channel', 'Create a token'])
    await expectWithoutDelay(() => isDone(text));
  const response = await nativeFetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
  await advanceTime(3000);
  await expectWithoutDelay(() => isDone('Your first request succeeded'));
});
