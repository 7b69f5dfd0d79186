import { type Channel, channelStatus } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { answerList, countSent, createChannel, findChannel, measureChannel, sent } from './channels.ts';
import { colourOf } from './colours.ts';
import { createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const rowOf = (page: Page, { name }: Pick<Channel, 'name'>) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

const openList = (page: Page, { name }: Pick<Channel, 'name'>) => page.goto(`/channel?keyword=${name}`);

const openMenu = (page: Page, { name }: Pick<Channel, 'name'>) =>
  page.getByRole('button', { name: `More actions for ${name}` }).click();

async function choose(page: Page, channel: Pick<Channel, 'name'>, action: string): Promise<void> {
  await openMenu(page, channel);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const details = (page: Page) => page.getByRole('switch', { name: 'Details' });
const priorityOf = (page: Page, { name }: Channel) => page.getByLabel(`Priority of ${name}, higher is preferred`);
const weightOf = (page: Page, { name }: Channel) => page.getByLabel(`Weight of ${name} among channels of one priority`);

/** Clicks each heading twice; the names are those of the first click. */
async function expectOrders(page: Page, orders: readonly (readonly [title: string, ...Channel[]])[]): Promise<void> {
  const rows = page.getByRole('row').locator('td:nth-child(2)');
  for (const [title, ...ascending] of orders) {
    const names = ascending.map(({ name }) => name);
    const head = page.getByRole('columnheader', { name: title });
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(rows).toHaveText(names);
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(rows).toHaveText(names.toReversed());
  }
}

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test.describe('the list of channels', () => {
  test('[S2.12 S2.38 S7.35] is reached from the menu and shows what there is', async ({ page, product }) => {
    const channel = await createChannel(product.url, { type: 14, group: 'vip,default', priority: 7 });
    await page.goto('/');
    const asked = sent(page, 'GET', '/api/channel/');
    await page.getByRole('link', { name: 'Channels', exact: true }).click();
    expect(new URL((await asked).url()).searchParams.get('p')).toBe('0');
    const row = rowOf(page, channel);
    await expect(row.getByText('Anthropic Claude')).toBeVisible();
    await expect(row.getByText('Enabled')).toBeVisible();
    await expect(row.getByText('Untested')).toBeVisible();
    await expect(priorityOf(page, channel)).toHaveValue('7');
    await expect(row.locator('td').first()).toHaveText(String(channel.id));
    await expect(row.locator('td').nth(2)).toHaveText('defaultvip');
    await row.getByRole('link', { name: channel.name }).hover();
    await expect(page.getByRole('tooltip', { name: 'gpt-4o, gpt-4o-mini' })).toBeVisible();
  });

  test('[S6.4] is not for ordinary users', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url));
    for (const path of ['/channel', '/channel/add', '/channel/edit/1']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: 'Not allowed' })).toBeVisible();
    }
    await expect(page.getByRole('link', { name: 'Channels' })).toHaveCount(0);
  });

  test('[S2.85 S7.36] is searched by ID, name and key, on the server', async ({ page, product }) => {
    const channel = await createChannel(product.url);
    const other = await createChannel(product.url);
    await page.goto('/channel');
    const search = page.getByPlaceholder('Search by ID, name and key');
    for (const keyword of [String(channel.id), channel.name.toUpperCase(), `key-of-${channel.name}`]) {
      const asked = sent(page, 'GET', '/api/channel/search');
      await search.fill(` ${keyword} `);
      await search.press('Enter');
      expect(new URL((await asked).url()).searchParams.get('keyword')).toBe(keyword);
      await expect(rowOf(page, channel)).toBeVisible();
      await expect(rowOf(page, other)).toHaveCount(0);
    }
  });

  test('[S2.86 S2.87 S2.88 S2.89 S2.93] is ordered by a click on what a channel is', async ({ page, product }) => {
    const prefix = freshName('order');
    const ordered = async (name: string, fields: Parameters<typeof createChannel>[1]) =>
      createChannel(product.url, { name: `${prefix}-${name}`, ...fields });
    const b = await ordered('b', { type: 1, group: 'vip', priority: 1 });
    const a = await ordered('a', { type: 14, group: 'default', priority: 2 });
    await page.goto(`/channel?keyword=${prefix}`);
    await expectOrders(page, [
      ['ID', b, a],
      ['Name', a, b],
      ['Group', a, b],
      ['Type', b, a],
      ['Priority', b, a],
    ]);
  });

  test('[S2.90 S2.91 S2.92] is ordered by a click on what became of a channel', async ({ page, product }) => {
    const prefix = freshName('became');
    // Each of the three orders the rows differently, and none as they were made.
    const a = await createChannel(product.url, { name: `${prefix}-a` });
    const b = await createChannel(product.url, { name: `${prefix}-b` });
    const c = await createChannel(product.url, { name: `${prefix}-c` });
    measureChannel(product, a, { status: 3, response_time: 900, balance: 3.5 });
    measureChannel(product, b, { status: 2, response_time: 80, balance: 20 });
    measureChannel(product, c, { status: 1, response_time: 4000, balance: 10 });
    await page.goto(`/channel?keyword=${prefix}`);
    await details(page).click();
    await expectOrders(page, [
      ['Status', c, b, a],
      ['Response time', b, a, c],
      ['Balance', a, c, b],
    ]);
  });

  test('[S2.94 S2.95 S2.105] details show balance and test model, and stay chosen', async ({ page, product }) => {
    const channel = await createChannel(product.url, { models: 'gpt-4o,gpt-3.5-turbo' });
    await openList(page, channel);
    await expect(rowOf(page, channel)).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Balance' })).toHaveCount(0);
    await details(page).click();
    await expect(page.getByRole('columnheader', { name: 'Balance' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: `Test model of ${channel.name}` })).toHaveValue('gpt-3.5-turbo');
    await expect(weightOf(page, channel)).toHaveValue('0');
    expect(await page.evaluate(() => localStorage.getItem('show_detail'))).toBe('true');
    await page.reload();
    await expect(page.getByRole('columnheader', { name: 'Test model' })).toBeVisible();
  });

  test('[S4.11 S4.12 S4.13 S4.14] says of each status what it is, and why', async ({ page }) => {
    const reason = 'Incorrect API key provided';
    const words = { 1: 'Enabled', 2: 'Manually disabled', 3: 'Automatically disabled', 9: 'Unknown' };
    const statuses = Object.keys(words).map(Number);
    await answerList(
      page,
      ...statuses.map((status) => ({ name: `c${status}`, status, status_reason: status === 3 ? reason : '' })),
    );
    await page.goto('/channel');
    for (const [status, word] of Object.entries(words))
      await expect(
        rowOf(page, { name: `c${status}` })
          .locator('td')
          .nth(4),
      ).toHaveText(word);
    await rowOf(page, { name: 'c3' }).getByText('Automatically disabled').hover();
    await expect(page.getByRole('tooltip', { name: reason })).toBeVisible();
  });

  test('[S3.35 S4.22 S4.23 S4.24 S4.25 S4.26] draws each response time in its colour', async ({ page }) => {
    const times = [0, 1000, 1001, 3001, 5001];
    await answerList(
      page,
      ...times.map((response_time, index) => ({
        name: `c${index}`,
        response_time,
        test_time: index === 1 ? 1_700_000_000 : 0,
        type: index === 4 ? 99 : 1,
      })),
    );
    await page.goto('/channel');
    const speeds = ['Untested', '1.00 s', '1.00 s', '3.00 s', '5.00 s'];
    const colours = ['gray', 'green', 'olive', 'yellow', 'red'];
    for (const [index, colour] of colours.entries()) {
      const speed = rowOf(page, { name: `c${index}` })
        .locator('td')
        .nth(5)
        .locator('[data-color]');
      await expect(speed).toHaveText(speeds[index] ?? '');
      expect(await speed.evaluate(colourOf), speeds[index]).toBe(colour);
    }
    await rowOf(page, { name: 'c1' }).getByText('1.00 s').hover();
    await expect(page.getByRole('tooltip', { name: 'Last tested 2023-11-14 22:13:20' })).toBeVisible();
    await expect(rowOf(page, { name: 'c4' }).locator('td').nth(3)).toHaveText('99');
  });

  test('[S9.30 S9.31 S9.32 S9.33 S9.34 S7.45] balances by type; a click reads one anew', async ({ page }) => {
    const shown = [
      [1, '$12.30'],
      [8, '$12.30'],
      [4, '¥12.30'],
      [12, '¥12.30'],
      [44, '¥12.30'],
      [5, '¥0.0012'],
      [10, '12.3'],
      [13, '12.3'],
      [14, 'Unsupported'],
    ] as const;
    await answerList(page, ...shown.map(([type]) => ({ name: `t${type}`, type, balance: 12.3 })));
    await page.route('**/api/channel/update_balance/1/', (route) =>
      route.fulfill({ json: { success: true, message: '', balance: 45.678 } }),
    );
    await page.goto('/channel');
    await details(page).click();
    for (const [type, text] of shown)
      await expect(
        rowOf(page, { name: `t${type}` })
          .locator('td')
          .nth(6),
      ).toHaveText(text);
    await rowOf(page, { name: 't1' }).getByText('$12.30').click();
    await expect(rowOf(page, { name: 't1' }).getByText('$45.68')).toBeVisible();
  });

  test('[S3.13] the hint is closed for good', async ({ page }) => {
    await page.goto('/channel');
    const hint = page.getByText('A test asks gpt-3.5-turbo where the channel has it');
    await expect(hint).toBeVisible();
    await page.getByRole('button', { name: 'Close this hint' }).click();
    await expect(hint).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem('prompt-detail'))).toBe('true');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Channels' })).toBeVisible();
    await expect(hint).toHaveCount(0);
  });

  test('is a list of cards on a phone, with everything in reach', async ({ page, product }) => {
    const channel = await createChannel(product.url, { type: 14 });
    await page.setViewportSize({ width: 390, height: 844 });
    await openList(page, channel);
    const card = page.getByRole('listitem').filter({ hasText: channel.name });
    await expect(card.getByText('Anthropic Claude')).toBeVisible();
    await choose(page, channel, 'Disable');
    await expect(card.getByText('Manually disabled')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

test.describe('a row', () => {
  test('[S4.17] offers disable when it is enabled, and enable otherwise', async ({ page }) => {
    await answerList(page, ...[1, 2, 3, 9].map((status) => ({ name: `c${status}`, status })));
    await page.goto('/channel');
    for (const status of [1, 2, 3, 9]) {
      await openMenu(page, { name: `c${status}` });
      const [offered, other] = status === 1 ? ['Disable', 'Enable'] : ['Enable', 'Disable'];
      await expect(page.getByRole('menuitem', { name: offered, exact: true })).toBeEnabled();
      await expect(page.getByRole('menuitem', { name: other, exact: true })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menuitem')).toHaveCount(0);
    }
  });

  test('[S2.98 S4.15 S4.16 S7.40 S8.12] is disabled and enabled', async ({ page, product }) => {
    const channel = await createChannel(product.url);
    await openList(page, channel);
    for (const [action, status, words] of [
      ['Disable', channelStatus.disabled, 'Manually disabled'],
      ['Enable', channelStatus.enabled, 'Enabled'],
    ] as const) {
      const request = sent(page, 'PUT', '/api/channel/');
      await choose(page, channel, action);
      expect((await request).postDataJSON()).toEqual({ id: channel.id, status });
      await expect(rowOf(page, channel).getByText(words, { exact: true })).toBeVisible();
      await expect(page.getByText('Operation completed successfully')).toBeVisible();
      await expect.poll(async () => (await findChannel(product.url, channel.name)).status).toBe(status);
    }
  });

  test('a change that the server refuses is taken back with the reason', async ({ page, product }) => {
    const channel = await createChannel(product.url, { priority: 3 });
    await openList(page, channel);
    await page.route('**/api/channel/', (route) => route.fulfill({ json: { success: false, message: 'not today' } }));
    await priorityOf(page, channel).fill('9');
    await priorityOf(page, channel).press('Enter');
    await expect(page.getByText('not today')).toBeVisible();
    await expect(priorityOf(page, channel)).toHaveValue('3');
  });

  test('[S2.97 S7.41] is deleted after a question that names it', async ({ page, product }) => {
    const channel = await createChannel(product.url);
    await openList(page, channel);
    await choose(page, channel, 'Delete');
    const dialog = page.getByRole('dialog', { name: `Delete channel ${channel.name}?` });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(rowOf(page, channel)).toBeVisible();
    await choose(page, channel, 'Delete');
    const request = sent(page, 'DELETE', `/api/channel/${channel.id}/`);
    await dialog.getByRole('button', { name: 'Delete channel' }).click();
    await request;
    await expect(rowOf(page, channel)).toHaveCount(0);
    await expect(findChannel(product.url, channel.name)).rejects.toThrow();
  });

  test('[S2.106 S2.107 S5.46 S5.47 S5.48 S7.40] takes priority and weight in place', async ({ page, product }) => {
    const channel = await createChannel(product.url);
    await openList(page, channel);
    await details(page).click();
    // The columns come anew with the details, and with them the fields.
    await expect(weightOf(page, channel)).toBeVisible();
    const calls = countSent(page, 'PUT', '/api/channel/');
    const save = async (field: ReturnType<typeof priorityOf>, text: string, body: object) => {
      const request = sent(page, 'PUT', '/api/channel/');
      await field.fill(text);
      await field.press('Enter');
      expect((await request).postDataJSON()).toEqual({ id: channel.id, ...body });
    };
    await save(priorityOf(page, channel), '-5', { priority: -5 });
    await save(weightOf(page, channel), '4', { weight: 4 });
    // Neither is 0: an emptied field that is sent as 0 makes a call.
    for (const field of [priorityOf(page, channel), weightOf(page, channel)]) {
      const before = await field.inputValue();
      await field.fill('');
      await field.blur();
      await expect(field).toHaveValue(before);
      await field.fill(before);
      await field.blur();
    }
    expect(calls()).toBe(2);
    await save(weightOf(page, channel), '-4', { weight: 0 });
    await expect(weightOf(page, channel)).toHaveValue('0');
    expect(calls()).toBe(3);
    expect(await findChannel(product.url, channel.name)).toMatchObject({ priority: -5, weight: 0 });
  });
});
