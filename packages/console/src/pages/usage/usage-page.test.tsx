import { type Usage, usageApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, seedLogs, startGateway, uniqueName } from '@headgate/testkit';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { address, findButton } from '../../testing/page.ts';
import { collectSavedFiles } from '../../testing/saved-files.ts';
import { Steps } from '../../testing/steps.ts';

/** Creates a user who used two models today. */
async function spender(gateway = workerGateway()) {
  const { url, folder } = await gateway;
  const owner = await createTestUser(url, { quota: 1_000_000 });
  const [often, rarely] = [uniqueName('often'), uniqueName('rarely')];
  const newest = Math.floor(Date.now() / 1000);
  seedLogs({ folder }, { owner, count: 20, newest, model: often });
  seedLogs({ folder }, { owner, count: 5, newest, model: rarely });
  return { owner, often, rarely };
}

const findTable = () => screen.findByRole('region', { name: 'Usage table' });

/** Table cell texts, by row and column. */
const cells = (): string[][] =>
  [...document.querySelectorAll('main tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent),
  );

/** Waits for the row with this heading. Returns its cells. */
const findCells = (heading: string): Promise<string[]> =>
  waitFor(() => {
    const row = cells().find(([first]) => first?.includes(heading));
    if (!row) throw new Error(`No row ${heading}`);
    return row.slice(1);
  });

it('shows usage by the selected columns with the same values as the API, and links cells to their logs', async () => {
  const { owner, often, rarely } = await spender();
  const { user, network } = await openConsole(`/usage?username=${owner.username}&range=today`, { as: rootAccount });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Columns' }), 'All metrics');
  await expect.poll(address).toMatch(/columns=none/);
  await openConsole(address(), { network });
  expect((await findCells(often))[0]).toBe('20');
  expect((await findCells(rarely))[0]).toBe('5');
  const usage = await (await asRoot(await gatewayUrl())).call(usageApi.read, {
    query: { username: owner.username, rows: 'model' },
  });
  expect((await findCells('Total'))[0]).toBe(String(usage.total.requests));
  await user.click(await screen.findByRole('link', { name: '20' }));
  await expect.poll(address).toMatch(new RegExp(`^/log\\?.*model_name=${often}`));
  await expect.poll(() => screen.getByRole('heading', { level: 1 }).textContent).toContain('20');
});

it('shows an amount that would round to zero as less than the smallest amount of its column', async () => {
  const { owner, often, rarely } = await spender();
  const network = new Network();
  const quotas = new Map([
    [often, 50_000],
    [rarely, 1],
  ]);
  network.change('GET', '/api/usage', ({ rows, cells, ...rest }: Usage) => {
    const quotaOf = (at: number) => ({ quota: quotas.get(rows[at]?.key ?? '') ?? 0 });
    return {
      ...rest,
      rows: rows.map((row, at) => ({ ...row, total: { ...row.total, ...quotaOf(at) } })),
      cells: cells.map((row, at) => row.map((cell) => ({ ...cell, ...quotaOf(at) }))),
    };
  });
  await openConsole(`/usage?username=${owner.username}&range=today&columns=none`, { as: rootAccount, network });
  expect(await findCells(often)).toContain('$0.1000');
  expect(await findCells(rarely)).toContain('<$0.0001');
});

it('collapses the controls into one line on a phone', async () => {
  const { owner, often } = await spender();
  const { user } = await openConsole('/usage?range=today', { as: owner, width: phoneWindowWidth });
  const fold = await findButton('Spend · Model by day');
  expect(screen.queryByRole('combobox', { name: 'Columns' })).toBeNull();
  fold.focus();
  await user.keyboard('{Enter}');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Columns' }), 'All metrics');
  await findButton('All metrics by model');
  await expect.poll(async () => (await findCells(often))[0]).toBe('20');
});

it('offers users only their own usage, and exports the displayed table', async () => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati');
  onTestFinished(() => void vi.unstubAllEnvs());
  const files = collectSavedFiles();
  const { owner, often } = await spender();
  const { user, network } = await openConsole('/usage?range=today&columns=none', { as: owner });
  await findCells(often);
  const rows = within(screen.getByRole('combobox', { name: 'Rows' })).getAllByRole('option');
  const choices = rows.map(({ textContent }) => textContent);
  expect(choices).toContain('Model');
  expect(choices).not.toContain('User');
  expect(choices).not.toContain('Channel');
  await user.click(await findButton('Export CSV'));
  await expect.poll(() => files.length).toBe(1);
  const [head, first] = (await files[0]?.lines()) ?? [];
  expect(head).toContain('Model,Requests,Failures,Spend');
  expect(first).toContain(`${often},20,0,`);

  const again = (await openConsole('/usage?range=7d&columns=day&measure=requests', { network })).user;
  await findCells('Total');
  const shown = cells().map((row) => row.map((cell) => cell.replace(/^–.*/, '').replaceAll(',', '')));
  await again.click(await findButton('Export CSV'));
  await expect.poll(() => files.length).toBe(2);
  expect((await files[1]?.lines())?.map((line) => line.split(','))).toEqual(shown);
  const today = new Date();
  const days = [6, 0].map((ago) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - ago).toLocaleDateString('sv'),
  );
  expect(files[1]?.name).toBe(`usage-${days.join('-')}.csv`);
});

it('distinguishes a period without usage from the time before the first log', async () => {
  // The shared gateway may have older logs from other tests.
  const gateway = await startGateway();
  onTestFinished(() => gateway.stop());
  const { owner } = await spender(Promise.resolve(gateway));
  const network = new Network(gateway.url);
  const { user } = await openConsole('/usage?model_name=unknown', { as: owner, network });
  await screen.findByText('No usage in this period');
  await user.click(await findButton('Remove filter Model'));
  expect(await within(await findTable()).findAllByText('No data')).not.toEqual([]);
});

it("[A46.7] shows usage in UTC if the browser's time zone is unknown", async () => {
  const { owner, often } = await spender();
  const { resolvedOptions } = Intl.DateTimeFormat.prototype;
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (this: Intl.DateTimeFormat) {
    return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' };
  });
  const { network } = await openConsole(`/usage?username=${owner.username}&range=7d`, { as: rootAccount });
  await findCells(often);
  expect(network.sent('GET', '/api/usage')[0]?.query).toMatchObject({ zone: 'UTC' });
});

it('shows the margin of each channel in two steps, losses first, and drills down from a row', async () => {
  const { owner } = await spender();
  const { user, network } = await openWithNavigation('/', { as: rootAccount });
  const steps = new Steps(user);
  await steps.click(await screen.findByRole('link', { name: 'Usage' }));
  await steps.click(await findButton('Profit by channel'));
  steps.expectAtMost(2);
  const profit = address();
  const table = within(await findTable());
  const margin = () => table.queryByRole('columnheader', { name: 'Margin' });
  await expect.poll(() => margin()?.getAttribute('aria-sort')).toBe('ascending');
  expect(network.sent('GET', '/api/usage').at(-1)?.query).toMatchObject({ measure: 'margin', order: 'asc' });
  const [first] = table.getAllByRole('rowheader');
  await user.click(within(first as HTMLElement).getByRole('button'));
  await expect.poll(address).toMatch(/channel=\d+/);

  await openConsole(`${profit}&username=${owner.username}`, { network });
  // Seeded logs have no cost: it is unknown, not 0.
  const [, , , , , , cost, unknown] = await findCells('Total');
  expect(cost).toBe('Unknown');
  expect(unknown).toMatch(/^\$/);
});

it("drills down from this month's users to the models of one user", async () => {
  const { owner, often } = await spender();
  const { user } = await openConsole('/usage', { as: rootAccount });
  await user.click(await findButton('This month'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows' }), 'User');
  await user.click(await within(await findTable()).findByRole('button', { name: owner.username }));
  expect((await findCells(often))[0]).toBe('20');
  await expect.poll(address).toContain(`username=${owner.username}`);
});
