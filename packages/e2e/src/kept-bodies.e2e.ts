import { keptBodyApi, tokenApi } from '@headgate/contract';
import { completion, StubUpstream } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel } from './channels.ts';
import { violations } from './looks.ts';
import { clientOf, createPerson, freshName, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

/** Mantine renders the title of a dialog as a header, which axe counts as a second banner of the page. */
const dialogBanners = { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } };

/** Checks the open dialog in a window of this width. */
async function expectFineDialog(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  const found = await violations(page, '[role="dialog"]', dialogBanners);
  expect(found.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

test('stores the payloads of a token and shows one, in accessible dialogs', async ({ page, product }) => {
  await using stack = new AsyncDisposableStack();
  const upstream = await StubUpstream.start(completion());
  stack.defer(() => upstream.close());
  await setOption(product.url, 'KeepBodies', 'owners');
  stack.defer(() => setOption(product.url, 'KeepBodies', 'off'));
  const group = freshName('g');
  const person = await createPerson(product.url, { quota: 1_000_000, group });
  await createChannel(product.url, { base_url: upstream.url, type: 8, models: 'gpt-4o', group });
  const client = await clientOf(product.url, person);
  const token = await client.call(tokenApi.create, { body: { name: 'agent', unlimited_quota: true } });
  await signInAs(page, person);
  await page.goto(`/token/edit/${token.id}`);
  await page.getByRole('button', { name: 'Keep…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Keep requests and answers/ });
  await expect(dialog.getByLabel('Hours')).toBeVisible();
  await expectFineDialog(page, 1280);
  await expectFineDialog(page, 390);
  await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(page.getByText(/^Kept for \d+ h/)).toBeVisible();

  const response = await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Where is the harbour?' }] }),
  });
  await response.text();
  await expect.poll(async () => (await client.call(keptBodyApi.own)).kept).toBe(1);
  await page.goto(`/log?request_id=${response.headers.get('x-request-id')}`);
  await page.getByRole('button', { name: /^How this was charged/ }).click();
  await page.getByRole('dialog', { name: 'How this was charged' }).getByRole('button', { name: 'Show' }).click();
  const bodies = page.getByRole('dialog', { name: 'Request and answer' });
  await expect(bodies.getByRole('group', { name: 'Request' })).toContainText('Where is the harbour?');
  await expectFineDialog(page, 390);
});
