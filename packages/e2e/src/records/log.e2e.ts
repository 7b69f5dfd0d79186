import { readFile } from 'node:fs/promises';
import { logEndCauses, payloadApi, tokenApi } from '@headgate/contract';
import { completion, StubUpstream } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { horizontalScrollFaults } from '../support/accessibility.ts';
import { expectAccessibleDialog } from '../support/accessible-dialogs.ts';
import { createChannel } from '../support/channels.ts';
import { createTestUser, rootAccount, setOption, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, type Product, test } from '../support/product.ts';
import { seedLogs } from '../support/seed-logs.ts';

/** Creates a user with a token whose next request is stored, and a channel that responds. */
async function createSender({ url }: Product, stack: AsyncDisposableStack) {
  const upstream = await StubUpstream.start(completion());
  stack.defer(() => upstream.close());
  await setOption(url, 'KeepBodies', 'owners');
  stack.defer(() => setOption(url, 'KeepBodies', 'off'));
  const group = uniqueName('g');
  const person = await createTestUser(url, { quota: 1_000_000, group });
  await createChannel(url, { base_url: upstream.url, type: 8, models: 'gpt-4o', group });
  const client = await signedInClient(url, person);
  const token = await client.call(tokenApi.create, { body: { name: 'agent', unlimited_quota: true } });
  const send = async () => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Where is the harbour?' }] }),
    });
    await response.text();
    await expect.poll(async () => (await client.call(payloadApi.own)).kept).toBe(1);
    return response.headers.get('x-request-id');
  };
  return { person, token, send };
}

test('stores the payloads of a token and shows one in an accessible dialog', async ({ page, product }) => {
  await using stack = new AsyncDisposableStack();
  const { person, token, send } = await createSender(product, stack);
  await signInAs(page, person);
  await page.goto(`/token/edit/${token.id}`);
  await page.getByRole('button', { name: 'Log payloads…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Log payloads of/ });
  await expect(dialog.getByLabel('Retention (hours)')).toBeVisible();
  await expectAccessibleDialog(page);
  await dialog.getByRole('button', { name: 'Start logging', exact: true }).click();
  await expect(page.getByText(/^Stored for \d+ h/)).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/log?request_id=${await send()}`);
  await page.getByRole('button', { name: /^Request details/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  const bodies = page.getByRole('dialog', { name: 'Payload' });
  await expect(bodies.getByRole('group', { name: 'Request', exact: true })).toContainText('Where is the harbour?');
  // On wide screens the list stays visible and would close the dialog.
  await expectAccessibleDialog(page, [390]);
});

/** Replaces the stored logs with one for each way in which a request can end, and one with impossible usage. */
async function routeMarkedLogs(page: Page): Promise<number> {
  const logs = ['', ...Object.keys(logEndCauses)].map((ended_by, index) => ({
    id: index + 1,
    created_at: 1_790_000_000 - index,
    ended_by,
    ...{ type: 2, channel: 3, username: 'ada', token_name: 'notebook', model_name: 'claude-sonnet-4-5', content: '' },
    ...{ prompt_tokens: 1200, completion_tokens: 340, quota: 5210, elapsed_time: 2310, is_stream: true },
    detail: index === 1 ? JSON.stringify({ model_ratio: 1, odd_usage: 'completion_tokens -4' }) : '',
  }));
  await page.route(/\/api\/log\/self\/\?/, (route) =>
    route.fulfill({
      headers: { 'x-total-count': String(logs.length) },
      json: { success: true, message: '', data: logs },
    }),
  );
  return logs.length;
}

test('[A32.1] exports exactly the filtered logs with totals and escaped formulas, and shows status icons on a phone', async ({
  page,
  product,
}) => {
  const person = await createTestUser(product.url);
  const newest = 1_790_000_000;
  seedLogs(product, { owner: person, count: 2, newest, token: '=1+1' });
  seedLogs(product, { owner: person, count: 3, newest, token: 'other' });
  await signInAs(page, person);
  await page.goto('/log?token_name=%3D1%2B1');
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/^logs-[\d-]+\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  const [head, ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(head).toMatch(/^Time,Type,Token,Model,Prompt tokens,Completion tokens,Quota \(points\),Quota \(USD\),/);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^2026-09-21 14:13:20,Consumption,'=1\+1,gpt-4o,40,15,100,0\.0002,/);
  expect(lines[1]).toMatch(/^2026-09-21 14:13:19,Consumption,'=1\+1,gpt-4o,40,15,101,0\.000202,/);
  expect(lines[2]).toMatch(/^Total,Consumption,,,80,30,201,0\.000402,/);
  expect(lines[3]).toMatch(/^Export range,.*,2 of 2 rows$/);
  await expect(page.getByText('2 rows exported')).toBeVisible();

  const count = await routeMarkedLogs(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/log');
  const cards = page.locator('main ul > li');
  await expect(cards).toHaveCount(count);
  await cards
    .nth(1)
    .getByRole('button', { name: /^Request details/ })
    .click();
  await expect(page.getByText('Provider reported impossible usage: completion_tokens -4')).toBeVisible();
  expect(await horizontalScrollFaults(page, 'the log')).toEqual([]);
});

test('shows the filters in one row at 1280 px and does not truncate token names', async ({ page, product }) => {
  const owner = await createTestUser(product.url, { username: uniqueName('grace') });
  const shown = { model: 'claude-sonnet-4-5', token: 'ci-pipeline' };
  seedLogs(product, { owner, count: 3, newest: 1_790_000_000, ...shown });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAs(page, rootAccount);
  await page.goto(`/log?type=2&username=${owner.username}`);
  const table = page.getByRole('table');
  await expect(table.getByText('ci-pipeline').first()).toBeVisible();
  // Title, one row of filters, one row of chips, histogram and facets.
  await expect(page.getByRole('group', { name: 'Filter by value' })).toBeVisible();
  expect((await table.boundingBox())?.y).toBeLessThan(310);
  const isCut = await table.getByText('ci-pipeline').evaluateAll((names) =>
    names.some((name) => {
      const cell = name.closest('td');
      if (cell === null) return true;
      const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
      return name.getBoundingClientRect().right > end;
    }),
  );
  expect(isCut).toBe(false);
});
