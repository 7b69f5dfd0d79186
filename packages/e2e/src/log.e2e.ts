import { channelApi, type Log, logApi, role, tokenApi, userApi } from '@headgate/contract';
import { reply, StubUpstream, stream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page, Request } from '@playwright/test';
import { asRoot, clientOf, createPerson, freshName, type Person, rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

const completion = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

/** A model nobody priced costs 30 a token, those of its family 4 times as much out as in: (10 + 5 × 4) × 30. */
const price = 900;

interface Caller {
  readonly person: Person;
  readonly model: string;
  readonly channels: readonly number[];
  /** Sends a request through the gateway with a token of this name. */
  ask(tokenName?: string, body?: object): Promise<void>;
  close(): Promise<unknown>;
}

/** Somebody with quota, and channels to upstreams that answer so, tried in this order. */
async function createCaller(url: string, upstreams: readonly UpstreamAnswer[] = [completion]): Promise<Caller> {
  const root = await asRoot(url);
  const model = freshName('gpt-4o');
  const group = freshName('group');
  const stubs = await Promise.all(upstreams.map((answer) => StubUpstream.start(answer)));
  for (const [index, stub] of stubs.entries())
    await root.call(channelApi.create, {
      body: { name: model, type: 8, key: 'k', base_url: stub.url, models: model, group, priority: 10 - index },
    });
  const channels = (await root.call(channelApi.search, { query: { keyword: model } })).map(({ id }) => id);
  const person = await createPerson(url, { group, quota: 1_000_000 });
  const client = await clientOf(url, person);
  const ask = async (name = 'ci', body: object = {}) => {
    const { key } = await client.call(tokenApi.create, { body: { name, unlimited_quota: true } });
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], ...body }),
    });
    await response.text();
  };
  return {
    person,
    model,
    channels: channels.reverse(),
    ask,
    close: () => Promise.all(stubs.map((stub) => stub.close())),
  };
}

const rows = (page: Page) => page.locator('tbody').getByRole('row');
const isList = (request: Request, path: string) => new URL(request.url()).pathname === path;
const asked = (page: Page, path: string) => page.waitForRequest((request) => isList(request, path));
const search = (request: Request) => Object.fromEntries(new URL(request.url()).searchParams);
const total = (page: Page) => page.getByRole('group', { name: 'Total consumed quota' });
const receipt = (page: Page) => page.getByRole('dialog', { name: /How this was charged|More about this/ });

/** The filters that are used less often. */
const unfold = (page: Page) => page.getByRole('button', { name: 'Filters' }).click();

async function chooseType(page: Page, words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Type' }).selectOption(words);
}

test.describe('the own logs', () => {
  test('[S6.9 S7.61 S7.62] are asked for with these parameters and no other', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url));
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    const request = asked(page, '/api/log/self/');
    await page.goto('/log');
    expect(Object.keys(search(await request)).sort()).toEqual(
      ['p', 'size', 'type', 'token_name', 'model_name', 'start_timestamp', 'end_timestamp'].sort(),
    );
    await expect(page.getByRole('heading', { level: 1, name: /^Usage details/ })).toBeVisible();
    await expect.poll(() => calls).toContain('/api/user/self');
    expect(calls).not.toContain('/api/log/');
  });

  test('[S1.7 S2.24 S2.161 S3.43] are shown: what, when and how much', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await caller.ask('laptop');
    await signInAs(page, caller.person);
    await page.goto('/log');
    await expect(page.getByRole('heading', { level: 1, name: /^Usage details/ })).toBeVisible();
    const row = rows(page).filter({ hasText: caller.model });
    for (const words of ['Consumption', 'laptop', caller.model, '10', '5', '$0.001800'])
      await expect(row.getByText(words, { exact: true })).toBeVisible();
    await unfold(page);
    for (const label of ['Token name', 'Model name', 'Start time', 'End time'])
      await expect(page.getByLabel(label)).toBeVisible();
    // What does not apply to a row is blank rather than 0.
    const gift = rows(page).filter({ hasText: 'changed the quota' });
    await expect(gift.getByText('Management')).toBeVisible();
    await expect(gift.getByText(/^(0|\$0\.000000)$/)).toHaveCount(0);
    await caller.close();
  });

  test('[S6.6 S2.165 S2.166 S7.62] know neither channel nor username, not even from the address', async ({
    page,
    product,
  }) => {
    await signInAs(page, await createPerson(product.url));
    const request = asked(page, '/api/log/self/');
    await page.goto('/log?username=root&channel=7');
    expect(search(await request)).not.toHaveProperty('username');
    expect(search(await request)).not.toHaveProperty('channel');
    await unfold(page);
    await expect(page.getByLabel('Token name')).toBeVisible();
    await expect(page.getByLabel('Start time')).toBeVisible();
    await expect(page.getByLabel('Channel ID')).toHaveCount(0);
    await expect(page.getByLabel('Username')).toHaveCount(0);
    await expect(page.getByRole('columnheader', { name: 'Channel' })).toHaveCount(0);
    await expect(page.getByRole('columnheader', { name: 'User' })).toHaveCount(0);
  });

  test('rows without an id of their own, as other servers send them, are all shown', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await caller.ask();
    await caller.ask();
    await signInAs(page, caller.person);
    await page.route('**/api/log/self/?*', async (route) => {
      const response = await route.fetch();
      const { data, ...envelope } = (await response.json()) as { data: Log[] };
      await route.fulfill({ response, json: { ...envelope, data: data.map((log) => ({ ...log, id: 0 })) } });
    });
    const complaints: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    await page.goto('/log');
    await expect(rows(page).filter({ hasText: caller.model })).toHaveCount(2);
    expect(complaints).toEqual([]);
    await caller.close();
  });
});

test.describe('the logs of everybody', () => {
  test('[S6.7 S7.60 S2.165 S2.166] are for admins, with channel and username as filters', async ({ page, product }) => {
    const [one, other] = [await createCaller(product.url), await createCaller(product.url)];
    await one.ask();
    await other.ask();
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    const first = asked(page, '/api/log/');
    await page.goto('/log');
    expect(search(await first)).toMatchObject({ p: '0', type: '0', username: '', token_name: '', model_name: '' });
    expect(search(await first)).toMatchObject({ start_timestamp: '0', channel: '0' });
    for (const { person } of [one, other])
      await expect(rows(page).filter({ hasText: person.username }).getByText('Consumption')).toBeVisible();
    await unfold(page);
    await page.getByLabel('Username').fill(one.person.username);
    await page.getByLabel('Channel ID').fill(String(one.channels[0]));
    const narrowed = asked(page, '/api/log/');
    await page.getByRole('button', { name: 'Query' }).click();
    expect(search(await narrowed)).toMatchObject({
      username: one.person.username,
      channel: String(one.channels[0]),
    });
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).getByText(one.person.username)).toBeVisible();
    await rows(page)
      .getByRole('link', { name: `Channel ${one.channels[0]}` })
      .click();
    await expect(page).toHaveURL(`/channel/edit/${one.channels[0]}`);
    await Promise.all([one.close(), other.close()]);
  });
});

test.describe('filters', () => {
  test('[S2.161] wait for the button, stand in the address and survive a reload', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await caller.ask('first');
    await caller.ask('second');
    await signInAs(page, caller.person);
    await page.goto('/log');
    await expect(rows(page).filter({ hasText: caller.model })).toHaveCount(2);
    let calls = 0;
    page.on('request', (request) => {
      if (isList(request, '/api/log/self/')) calls += 1;
    });
    await page.getByLabel('Token name').fill(' second ');
    await page.getByLabel('Model name').fill(caller.model);
    expect(calls).toBe(0);
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).getByText('second')).toBeVisible();
    await expect(page).toHaveURL(`/log?token_name=second&model_name=${caller.model}`);
    await page.reload();
    await expect(page.getByLabel('Token name')).toHaveValue('second');
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Token name').fill('nobody');
    await page.getByLabel('Token name').press('Enter');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expect(page).toHaveURL('/log');
    await expect(page.getByLabel('Token name')).toHaveValue('');
    await expect(rows(page).filter({ hasText: caller.model })).toHaveCount(2);
    await caller.close();
  });

  test('suggest what the own logs have, find parts of names, and are taken back one by one', async ({
    page,
    product,
  }) => {
    const caller = await createCaller(product.url);
    await caller.ask('Laptop of Ann');
    await caller.ask('laptop of Bob');
    await caller.ask('server');
    await signInAs(page, caller.person);
    await page.goto('/log');
    await page.getByLabel('Token name').fill('lap');
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
    await expect(suggestions.getByRole('option')).toHaveText(['Laptop of Ann', 'laptop of Bob']);
    await page.getByLabel('Token name').press('ArrowDown');
    await page.getByLabel('Token name').press('Enter');
    await expect(page).toHaveURL('/log?token_name=Laptop+of+Ann');
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Token name').fill('LAP');
    await page.getByLabel('Token name').press('Escape');
    await page.getByRole('button', { name: 'is', exact: true }).first().click();
    await page.getByLabel('Model name').fill(caller.model);
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(rows(page)).toHaveCount(2);
    const chips = page.getByRole('list', { name: 'Filters that are set' });
    await expect(chips.getByRole('button')).toHaveText([/^Token name contains LAP/, /^Model name: gpt-4o/]);
    await total(page).getByRole('button', { name: 'Click to view' }).click();
    await expect(total(page)).toContainText('$0.003600');
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    await expect(total(page)).toContainText('$0.003600');
    await chips.getByRole('button', { name: /Token name contains/ }).click();
    await expect(rows(page)).toHaveCount(3);
    await expect(total(page)).toContainText('$0.005400');
    await chips.getByRole('button').click();
    await expect(chips).toHaveCount(0);
    await expect(page).toHaveURL('/log');
    await caller.close();
  });

  test('find channels by their name and a request by its id', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await caller.ask();
    await caller.ask();
    const logs = await (await asRoot(product.url)).call(logApi.list, { query: { username: caller.person.username } });
    const requestId = logs[0]?.request_id ?? '';
    await signInAs(page, rootAccount);
    await page.goto('/log');
    await unfold(page);
    await page.getByLabel('Channel ID').fill(caller.model.slice(0, -1));
    await page.getByRole('option', { name: caller.model }).click();
    // With the row that tells who made the channel.
    await expect(rows(page)).toHaveCount(3);
    const chips = page.getByRole('list', { name: 'Filters that are set' });
    await expect(chips).toContainText(`Channel: ${caller.model} (#${caller.channels[0]})`);
    await page.getByLabel('Request ID').fill(requestId);
    await page.getByLabel('Request ID').press('Enter');
    await expect(rows(page)).toHaveCount(1);
    await expect(chips).toContainText(`Request ID: ${requestId}`);
    await caller.close();
  });

  test('the query button reads afresh when nothing was changed', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await signInAs(page, caller.person);
    await page.goto('/log');
    await expect(rows(page).first()).toBeVisible();
    await caller.ask();
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(rows(page).filter({ hasText: caller.model })).toHaveCount(1);
    await caller.close();
  });

  test('a time or an id that cannot be read is marked, and nothing is asked', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    await page.goto('/log');
    await expect(rows(page).first()).toBeVisible();
    let calls = 0;
    page.on('request', (request) => {
      if (isList(request, '/api/log/')) calls += 1;
    });
    await unfold(page);
    await page.getByLabel('Start time').fill('last week');
    await page.getByLabel('Channel ID').fill('seven');
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Time format error' })).toBeVisible();
    for (const label of ['Start time', 'Channel ID'])
      await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('End time')).not.toHaveAttribute('aria-invalid', 'true');
    expect(calls).toBe(0);
    await page.getByLabel('Start time').fill('2026-01-01');
    await page.getByLabel('Channel ID').fill('');
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(page).toHaveURL(/\/log\?start=\d+$/);
    await expect(page.getByLabel('Start time')).toHaveValue('2026-01-01 00:00:00');
  });

  test('[S2.162 S4.27] the type is a dropdown that acts at once, from the first page', async ({ page, product }) => {
    const person = await createPerson(product.url, { quota: 5 });
    const root = await asRoot(product.url);
    for (let n = 0; n < 11; n += 1)
      await root.call(userApi.topUp, { body: { user_id: person.id, quota: 500_000, remark: `gift ${n}` } });
    await signInAs(page, person);
    await page.goto('/log?page=2');
    await expect(rows(page).first()).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Type' }).getByRole('option')).toHaveText([
      'All types',
      'Top-up',
      'Consumption',
      'Management',
      'System',
      'Failed request',
    ]);
    const request = asked(page, '/api/log/self/');
    await chooseType(page, 'Top-up');
    expect(search(await request)).toMatchObject({ type: '1', p: '0' });
    await expect(page).toHaveURL('/log?type=1');
    await expect(rows(page)).toHaveCount(10);
    await expect(rows(page).getByText('Top-up', { exact: true })).toHaveCount(10);
    await expect(page.getByText('1–10 of 11')).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).getByText('root added $1.000000: gift 0')).toBeVisible();
    await chooseType(page, 'Management');
    await expect(page).toHaveURL('/log?type=3');
    await expect(rows(page).getByText('Management')).toHaveCount(2);
  });

  test('rows in sight are ordered by a heading without turning the page', async ({ page, product }) => {
    const person = await createPerson(product.url);
    seedLogs(product, { owner: person, count: 15, newest: 1_790_000_000 });
    await signInAs(page, person);
    await page.goto('/log?page=2&type=2');
    await expect(rows(page)).toHaveCount(5);
    const head = page.getByRole('columnheader', { name: 'Quota' });
    const quotas = () => rows(page).locator('td:nth-child(7)').allTextContents();
    const unordered = await quotas();
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(quotas).toEqual(unordered.toSorted());
    await expect(page.getByText('11–15 of 15')).toBeVisible();
  });
});

for (const width of [1280, 390]) {
  test(`[S9.11] the long name of a user is cut in the logs of everybody, in a window of ${width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await signInAs(page, rootAccount);
    await page.route('**/api/log/?*', async (route) => {
      const response = await route.fetch();
      const { data, ...envelope } = (await response.json()) as { data: Log[] };
      const [log] = data;
      await route.fulfill({ response, json: { ...envelope, data: [{ ...log, username: 'a-name-of-twenty-one' }] } });
    });
    await page.goto('/log');
    const row = page.locator('main tbody tr, main ul > li').first();
    await expect(row).toContainText('a-name-of-twen…');
    await expect(row.getByText('a-name-of-twenty-one')).toHaveCount(0);
  });
}

test.describe('times', () => {
  test.use({ timezoneId: 'Asia/Shanghai' });

  test('[S9.8 S9.36 S9.37] are local; the range is from the epoch to an hour from now', async ({ page, product }) => {
    const person = await createPerson(product.url);
    seedLogs(product, { owner: person, count: 1, newest: 1_790_000_000 });
    const now = 1_791_000_000;
    await signInAs(page, person);
    await page.clock.setFixedTime(now * 1000);
    const request = asked(page, '/api/log/self/');
    await page.goto('/log?type=2');
    expect(search(await request)).toMatchObject({ start_timestamp: '0', end_timestamp: String(now + 3600) });
    await unfold(page);
    await expect(page.getByLabel('Start time')).toHaveValue('1970-01-01 08:00:00');
    await expect(page.getByLabel('End time')).toHaveValue('2026-10-03 13:00:00');
    await expect(rows(page).getByText('2026-09-21 22:13:20')).toBeVisible();
    await page.getByLabel('Start time').fill('2026-09-21 22:13:20');
    await page.getByLabel('End time').fill('2026-09-21 22:13:20');
    const narrowed = asked(page, '/api/log/self/');
    await page.getByRole('button', { name: 'Query' }).click();
    expect(search(await narrowed)).toMatchObject({ start_timestamp: '1790000000', end_timestamp: '1790000000' });
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Today' }).click();
    await expect(page.getByLabel('Start time')).toHaveValue('2026-10-03 00:00:00');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await page.getByRole('button', { name: 'All time' }).click();
    await expect(page).toHaveURL('/log?type=2');
    await expect(rows(page)).toHaveCount(1);
  });
});

test.describe('the total', () => {
  test('[S2.163 S2.164 S7.64] is asked for by a click and follows the filters from then on', async ({
    page,
    product,
  }) => {
    const caller = await createCaller(product.url);
    await caller.ask('first');
    await caller.ask('second');
    await signInAs(page, caller.person);
    const stats: Request[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/stat?')) stats.push(request);
    });
    await page.goto('/log');
    await expect(rows(page).filter({ hasText: caller.model })).toHaveCount(2);
    await page.getByRole('button', { name: 'Query' }).click();
    await chooseType(page, 'Consumption');
    await expect(rows(page)).toHaveCount(2);
    expect(stats).toEqual([]);
    await total(page).getByRole('button', { name: 'Click to view' }).click();
    await expect(total(page)).toContainText('$0.00');
    await expect(total(page).getByTitle('$0.003600')).toBeVisible();
    expect(stats).toHaveLength(1);
    await page.getByLabel('Token name').fill('second');
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(total(page).getByTitle('$0.001800')).toBeVisible();
    expect(stats.map((request) => new URL(request.url()).pathname)).toEqual(Array(2).fill('/api/log/self/stat'));
    expect(search(stats[1] as Request)).toMatchObject({ token_name: 'second', start_timestamp: '0' });
    await caller.ask('second');
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(total(page).getByTitle('$0.003600')).toBeVisible();
    await caller.close();
  });

  test('[S6.8 S7.63] is everybody’s for admins, with their filters', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await caller.ask();
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    await page.goto(`/log?username=${caller.person.username}&channel=${caller.channels[0]}`);
    const request = asked(page, '/api/log/stat');
    await total(page).getByRole('button', { name: 'Click to view' }).click();
    expect(search(await request)).toMatchObject({
      username: caller.person.username,
      channel: String(caller.channels[0]),
    });
    await expect(total(page).getByTitle('$0.001800')).toBeVisible();
    await caller.close();
  });

  test('that does not come is told and can be asked for again', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url));
    await page.route('**/stat?*', (route) => route.fulfill({ status: 503, json: { success: false, message: 'busy' } }));
    await page.goto('/log');
    await total(page).getByRole('button', { name: 'Click to view' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'busy' })).toBeVisible();
    await page.unroute('**/stat?*');
    await total(page).getByRole('button', { name: 'Try again' }).click();
    await expect(total(page).getByTitle('$0.000000')).toBeVisible();
  });
});

test.describe('what a row knows', () => {
  test('the arithmetic of a charge, the attempts and the request’s id, in one click', async ({
    page,
    product,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const overloaded = reply({ error: { message: 'overloaded', type: 'server_error' } }, 503);
    const caller = await createCaller(product.url, [overloaded, completion]);
    await setOption(product.url, 'RetryTimes', '1');
    await caller.ask();
    await setOption(product.url, 'RetryTimes', '0');
    await signInAs(page, await createPerson(product.url, { role: role.admin }));
    await page.goto(`/log?username=${caller.person.username}&type=2`);
    await rows(page)
      .getByRole('button', { name: /^How this was charged/ })
      .click();
    await expect(receipt(page)).toBeVisible();
    for (const words of ['10 × $60.00 per million', '$0.0006', '5 × $240.00 per million', '$0.0012', '$0.0018'])
      await expect(receipt(page).getByText(words, { exact: true }).first()).toBeVisible();
    await expect(receipt(page).getByText(`Model ratio × 30 · Completion ratio × 4`)).toContainText(`${price} points`);
    await expect(receipt(page).getByRole('listitem').first()).toContainText(`Channel ${caller.channels[0]} · 503`);
    const id = await receipt(page).locator('code').textContent();
    await receipt(page).getByRole('button', { name: 'Copy request ID' }).click();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
    expect(id).toMatch(/^[\w-]{20,}$/);
    await page.keyboard.press('Escape');
    await expect(receipt(page)).toHaveCount(0);
    await caller.close();
  });

  test('a failed request says why', async ({ page, product }) => {
    const caller = await createCaller(product.url, [reply({ error: { message: 'bad weather' } }, 400)]);
    await caller.ask();
    await signInAs(page, caller.person);
    await page.goto('/log?type=5');
    await expect(rows(page).getByText('Failed request', { exact: true })).toBeVisible();
    await expect(rows(page)).toContainText('bad weather');
    await caller.close();
  });

  test('a request that cost something and broke off is consumption, with a mark that says so', async ({
    page,
    product,
  }) => {
    const pieces = ['Hel', 'lo'].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    const caller = await createCaller(product.url, [stream(pieces, 'cut')]);
    await caller.ask('ci', { stream: true });
    await signInAs(page, caller.person);
    await page.goto('/log?type=5');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await chooseType(page, 'Consumption');
    await expect(rows(page).getByText('Broken off upstream', { exact: true })).toBeVisible();
    await rows(page)
      .getByRole('button', { name: /^How this was charged/ })
      .press('Enter');
    await expect(receipt(page).getByText('Broken off upstream', { exact: true })).toBeVisible();
    await expect(receipt(page).getByText(/The upstream's stream broke off/)).toBeVisible();
    await expect(receipt(page).getByText('Charged', { exact: true })).toBeVisible();
    await caller.close();
  });

  test('what happened is told in the language of the reader', async ({ browser, product }) => {
    const person = await createPerson(product.url, { quota: 500_000 });
    const context = await browser.newContext({ locale: 'zh-CN', baseURL: product.url });
    const page = await context.newPage();
    await signInAs(page, person);
    await page.goto('/log?type=3');
    await expect(page.getByText(`root 将 ${person.username} 的额度从 $0.000000 改为 $1.000000`)).toBeVisible();
    await page.getByRole('button', { name: 'English' }).click();
    await expect(
      page.getByText(`root changed the quota of ${person.username} from $0.000000 to $1.000000`),
    ).toBeVisible();
    await context.close();
  });

  test('quota is points when the gateway shows points', async ({ page, product }) => {
    const caller = await createCaller(product.url);
    await caller.ask();
    await signInAs(page, caller.person);
    await setOption(product.url, 'DisplayInCurrencyEnabled', 'false');
    try {
      await page.goto('/log?type=2');
      await expect(rows(page).getByText(String(price), { exact: true })).toBeVisible();
    } finally {
      await setOption(product.url, 'DisplayInCurrencyEnabled', 'true');
    }
    await caller.close();
  });

  test('on a phone each row is a card, and the filters unfold', async ({ page, product }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const caller = await createCaller(product.url);
    await caller.ask('pocket');
    await signInAs(page, caller.person);
    await page.goto('/log');
    await expect(page.getByRole('table')).toHaveCount(0);
    const card = page.getByRole('listitem').filter({ hasText: caller.model });
    await expect(card.getByText('10 → 5')).toBeVisible();
    await expect(page.getByLabel('Token name')).toHaveCount(0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Token name').fill('nobody');
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await caller.close();
  });
});
