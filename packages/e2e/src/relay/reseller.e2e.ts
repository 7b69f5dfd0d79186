import { alertApi, budgetApi, channelStatus, limitRuleApi, role, tokenApi } from '@headgate/contract';
import { AlertDestinations, completion, reply, StubUpstream } from '@headgate/testkit';
import type { Locator, Page } from '@playwright/test';
import { createChannel, findChannel } from '../support/channels.ts';
import { asRoot, createTestUser, setOption, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

/** Upper bound of Tab stops between two elements of a page. */
const maxStops = 120;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  // Resolved once: locating the element at each Tab stop would take most of the time.
  const target = await wanted.elementHandle();
  for (let stops = 0; stops < maxStops; stops += 1) {
    if (await target?.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
}

async function pressOn(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}

async function typeInto(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Selects an option from a list that opens below its field. */
async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Enter');
  const wanted = page.getByRole('option', { name: option, exact: true });
  await expect(wanted).toBeVisible();
  for (let steps = 0; steps < 10; steps += 1) {
    if ((await wanted.getAttribute('data-combobox-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(option);
}

/** Opens a page from the command palette and skips the menu. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole('option', { name, exact: true, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await pressOn(page, page.getByRole('link', { name: 'Skip to content' }));
}

test('limits a group, sets a token budget, checks a fallback and notifies Slack by keyboard only', async ({
  page,
  product,
}) => {
  await using stack = new AsyncDisposableStack();
  const keyRejected = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
  const out = stack.use(await AlertDestinations.start());
  const [bad, good] = [await StubUpstream.start(keyRejected), await StubUpstream.start(completion())];
  stack.defer(() => bad.close());
  stack.defer(() => good.close());
  const root = await asRoot(product.url);
  const group = uniqueName('resale');
  const [a, b] = [uniqueName('first'), uniqueName('second')];
  const at = { type: 8, models: 'gpt-5', group };
  await createChannel(product.url, { ...at, name: a, base_url: bad.url, priority: 10 });
  await createChannel(product.url, { ...at, name: b, base_url: good.url });
  const person = await createTestUser(product.url, { group, quota: 50_000_000 });
  const client = await signedInClient(product.url, person);
  const token = await client.call(tokenApi.create, { body: { name: uniqueName('shop'), unlimited_quota: true } });
  await setOption(product.url, 'AutomaticDisableChannelEnabled', 'true');
  stack.defer(() => setOption(product.url, 'AutomaticDisableChannelEnabled', 'false'));
  await setOption(product.url, 'RetryTimes', '1');
  stack.defer(() => setOption(product.url, 'RetryTimes', '0'));
  await signInAs(page, await createTestUser(product.url, { role: role.admin }));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const field = (name: string) => page.getByRole('combobox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await goTo(page, 'Limits');
  await pressOn(page, page.getByRole('link', { name: 'Add limit' }).first());
  await typeInto(page, field('Group'), group);
  await typeInto(page, field('Model'), 'gpt-5');
  await pressOn(page, button('Create limit'));
  await expect(page.getByText('60 requests per minute, each user').first()).toBeVisible();
  const [limit] = await root.call(limitRuleApi.list, { query: { keyword: group } });
  expect(limit).toMatchObject({
    group,
    model: 'gpt-5',
    measure: 'requests_per_minute',
    amount: 60,
    counts_per: 'user',
  });

  await goTo(page, 'Budgets');
  await pressOn(page, button('Add budget').first());
  const dialog = page.getByRole('dialog', { name: 'Add budget' });
  await expect(dialog).toContainText('All users in the group share the budget');
  await choose(page, dialog.getByRole('combobox', { name: 'Budget for' }), 'Token');
  await typeInto(page, dialog.getByRole('combobox', { name: 'Token' }), token.name);
  await expect(page.getByRole('option', { name: token.name })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await typeInto(page, dialog.getByRole('textbox', { name: 'Amount' }), '$5');
  await choose(page, dialog.getByRole('combobox', { name: 'Period' }), 'Day');
  await pressOn(page, dialog.getByRole('button', { name: 'Save budget' }));
  await expect(page.getByText('$0.00 of $5.00 today').first()).toBeVisible();
  const [budget] = await root.call(budgetApi.list, { query: { keyword: token.name } });
  expect(budget).toMatchObject({ kind: 'token', owner_id: token.id, period: 'day', amount: 2_500_000 });

  await goTo(page, 'Routing');
  const trying = page.getByRole('region', { name: 'Test routing' });
  await typeInto(page, trying.getByRole('combobox', { name: 'Group' }), group);
  await typeInto(page, trying.getByRole('combobox', { name: 'Model' }), 'gpt-5');
  await pressOn(page, trying.getByRole('button', { name: 'Preview route' }));
  await expect(trying.getByRole('listitem').filter({ hasText: b })).toContainText('Tried if all higher priorities');
  await expect(trying).toContainText('Failed requests are retried up to 1 time on other channels.');

  await goTo(page, 'Alerts');
  await pressOn(page, button('Add destination'));
  await tabTo(page, page.getByLabel('Type'));
  await page.keyboard.type('Sla');
  await expect(page.getByLabel('Type')).toHaveValue('slack');
  await typeInto(page, page.getByRole('textbox', { name: 'Name' }), 'Resale');
  await typeInto(page, page.getByLabel('Webhook URL'), out.settings()['slack']?.['address'] ?? '');
  await pressOn(page, button('Save'));
  await pressOn(page, button('Send test to Resale'));
  await expect(page.getByText(/^Delivered in/)).toBeVisible();
  await pressOn(page, button('Add rule'));
  await expect(page.getByRole('dialog')).toContainText(
    'Only while “Disable channels automatically when they fail” is on',
  );
  await pressOn(page, button('Save'));
  await expect(page.getByText('When a channel is disabled automatically, notify Resale')).toBeVisible();

  const chatResponse = await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await chatResponse.text();
  expect([chatResponse.status, chatResponse.headers.get('x-ratelimit-limit-requests')]).toEqual([200, '60']);
  await expect.poll(async () => (await findChannel(product.url, a)).status).toBe(channelStatus.disabledByMonitor);
  await expect.poll(() => out.alerts.filter(({ text }) => text.includes(a)).length).toBe(1);
  expect(good.received).toHaveLength(1);

  await root.call(limitRuleApi.remove, { params: { id: limit?.id ?? 0 } });
  await root.call(budgetApi.remove, { params: { id: budget?.id ?? 0 } });
  for (const { id } of await root.call(alertApi.rules)) await root.call(alertApi.removeRule, { params: { id } });
  for (const { id } of await root.call(alertApi.receivers))
    await root.call(alertApi.removeReceiver, { params: { id } });
});
