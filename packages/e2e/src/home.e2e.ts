import { channelApi, tokenApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { asRoot, clientOf, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, startProduct, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

const completion = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const usage = (page: Page) => page.getByRole('region', { name: 'Usage as a table' });

for (const [screen, viewport] of Object.entries(screens)) {
  test.describe(`home on ${screen}`, () => {
    test.use({ viewport });

    test('answers in two steps what a user spent this month by model', async ({ page, product }) => {
      const owner = await createPerson(product.url, { quota: 1_000_000 });
      const model = freshName('much');
      const newest = Math.floor(Date.now() / 1000);
      // More than anybody else here, so that the user is among the first.
      seedLogs(product, { owner, count: 30_000, newest, model });
      await signInAs(page, rootAccount);
      await page.goto('/');
      await page.getByRole('link', { name: owner.username }).click();
      await page.getByRole('button', { name: 'This month' }).click();
      await expect(usage(page).getByRole('row', { name: model })).toBeVisible();
      await expect(page.getByText(`User: ${owner.username}`)).toBeVisible();
    });

    test('every figure leads to its rows', async ({ page, product }) => {
      const owner = await createPerson(product.url);
      seedLogs(product, { owner, count: 3, newest: Math.floor(Date.now() / 1000) });
      await signInAs(page, rootAccount);
      await page.goto('/');
      await page.getByText('7 days', { exact: true }).click();
      await expect(page).toHaveURL('/?range=7d');
      const requests = page.getByRole('main').getByText('Requests', { exact: true }).locator('..').getByRole('link');
      const count = await requests.textContent();
      await requests.click();
      await expect(usage(page).getByRole('row', { name: 'Total' }).getByRole('cell').first()).toHaveText(count ?? '?');
      await page.goBack();
      const failures = page.getByRole('main').getByText('Failures', { exact: true }).locator('..').getByRole('link');
      const failed = await failures.textContent();
      await failures.click();
      await expect(page).toHaveURL(/\/log\?.*type=5/);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(failed ?? '?');
    });

    test('the time is drawn after the figures, with a table for those who do not see it', async ({ page, product }) => {
      const owner = await createPerson(product.url);
      seedLogs(product, { owner, count: 3, newest: Math.floor(Date.now() / 1000) });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await signInAs(page, rootAccount);
      await page.goto('/');
      const timeline = page.getByRole('region', { name: 'Over time' });
      await expect(timeline.locator('.recharts-bar-rectangle').last()).toBeVisible();
      const chart = asked.findIndex((path) => path.includes('timeline-chart'));
      expect(chart).toBeGreaterThan(asked.indexOf('/api/home'));
      await expect(timeline.getByRole('row')).toHaveCount(25);
      await page.getByText('7 days', { exact: true }).click();
      await expect(timeline.getByRole('row')).toHaveCount(8);
      await timeline.getByText('Failures', { exact: true }).first().click();
      await expect(timeline.getByRole('radio', { name: 'Failures' })).toBeChecked();
      await timeline.getByRole('link', { name: /Show all in usage.*Over time/ }).click();
      await expect(page).toHaveURL('/usage?range=7d&rows=day&columns=none&measure=failures');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    });

    test('a user sees balance, spend by model, and tokens near their end', async ({ page, product }) => {
      const owner = await createPerson(product.url, { quota: 1_000_000 });
      const model = freshName('mine');
      seedLogs(product, { owner, count: 40, newest: Math.floor(Date.now() / 1000), model });
      const client = await clientOf(product.url, owner);
      const soon = Math.floor(Date.now() / 1000) + 86_400;
      await client.call(tokenApi.create, { body: { name: 'ending', unlimited_quota: true, expired_time: soon } });
      await signInAs(page, owner);
      await page.goto('/');
      await expect(page.getByRole('link', { name: '$2.00', exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'ending' })).toHaveAttribute('href', /\/token\/edit\/\d+/);
      await page.getByRole('link', { name: /Show all in usage.*This month by model/ }).click();
      await expect(usage(page).getByRole('row', { name: model })).toBeVisible();
    });
  });
}

test('a newcomer is led to the first answer, which is seen without a reload', async ({ page }) => {
  const product = await startProduct();
  const upstream = await StubUpstream.start(completion);
  try {
    const root = await asRoot(product.url);
    await signInAs(page, rootAccount, product.url);
    await page.goto(`${product.url}/`);
    const path = page.getByRole('list').filter({ hasText: 'Add your first channel' });
    await expect(path.getByRole('link', { name: 'Change the password that everybody knows' })).toBeVisible();
    await expect(path.getByText('Waiting for your first request…')).toBeVisible();
    const body = { name: 'first', type: 8, key: 'k', base_url: upstream.url, models: 'gpt-4o', group: 'default' };
    await root.call(channelApi.create, { body });
    const [channel] = await root.call(channelApi.list, { query: {} });
    await root.send(channelApi.test, { params: { id: channel?.id ?? 0 }, query: {} });
    const { key } = await root.call(tokenApi.create, { body: { name: 'first', unlimited_quota: true } });
    for (const words of ['Add your first channel', 'Test it', 'Make a token']) {
      await expect(path.getByRole('listitem').filter({ hasText: words }).getByLabel('Done')).toBeVisible();
    }
    const response = await fetch(`${product.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(response.status).toBe(200);
    await expect(page.getByText('Your first request was answered')).toBeVisible();
  } finally {
    await upstream.close();
    await product.stop();
  }
});
