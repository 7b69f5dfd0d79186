import { redemptionApi, tokenApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createChannel } from './channels.ts';
import { asRoot, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

test.use({ viewport: { width: 390, height: 844 } });

const order = (page: Page) => page.getByRole('combobox', { name: 'Order' });
/** What is needed less often is folded away, save in the log, where nothing is searched for. */
const unfold = (page: Page) => page.getByRole('button', { name: 'Filters' }).click();
const titles = (page: Page) => page.locator('main ul > li');

/** Orders the cards by a column both ways; each row has one of these words, the first one lowest. */
async function orderBothWays(page: Page, column: string, words: readonly string[]): Promise<void> {
  await order(page).selectOption(column);
  await expect(titles(page)).toContainText([...words]);
  await page.getByRole('button', { name: 'Sort descending' }).click();
  await expect(titles(page)).toContainText(words.toReversed());
  await page.getByRole('button', { name: 'Sort ascending' }).click();
  await expect(titles(page)).toContainText([...words]);
  await order(page).selectOption('Default order');
  await expect(page.getByRole('button', { name: /^Sort / })).toHaveCount(0);
}

test('[S2.70] users on a phone are ordered by a column, beside the orders of the list', async ({ page, product }) => {
  const prefix = freshName('o');
  for (const letter of ['b', 'a', 'c']) await createPerson(product.url, { username: `${prefix}${letter}` });
  await signInAs(page, rootAccount);
  await page.goto(`/user?keyword=${prefix}`);
  await unfold(page);
  await orderBothWays(page, 'Username', [`${prefix}a`, `${prefix}b`, `${prefix}c`]);
  await order(page).selectOption({ value: 'quota' });
  await expect(page).toHaveURL(/order=quota/);
  for (const name of ['ID', 'Username', 'Group', 'Statistics', 'Role', 'Status'])
    await expect(order(page).locator('optgroup option', { hasText: name })).toHaveCount(1);
});

test('[S2.87] channels on a phone are ordered by a column', async ({ page, product }) => {
  const prefix = freshName('o');
  for (const letter of ['b', 'a', 'c']) await createChannel(product.url, { name: `${prefix}${letter}` });
  await signInAs(page, rootAccount);
  await page.goto(`/channel?keyword=${prefix}`);
  await unfold(page);
  await orderBothWays(page, 'Name', [`${prefix}a`, `${prefix}b`, `${prefix}c`]);
});

test('redemption codes on a phone are ordered by a column', async ({ page, product }) => {
  const prefix = freshName('o');
  const root = await asRoot(product.url);
  for (const [index, letter] of ['b', 'a', 'c'].entries())
    await root.call(redemptionApi.create, { body: { name: `${prefix}${letter}`, quota: 100 - index, count: 1 } });
  await signInAs(page, rootAccount);
  await page.goto(`/redemption?keyword=${prefix}`);
  await unfold(page);
  await orderBothWays(page, 'Quota', [`${prefix}c`, `${prefix}a`, `${prefix}b`]);
});

test('tokens and logs on a phone are ordered by a column', async ({ page, product }) => {
  const person = await createPerson(product.url);
  await signInAs(page, person);
  const call = (name: string, remain_quota: number) =>
    page.request.post(tokenApi.create.path, { data: { name, remain_quota } });
  for (const [name, quota] of [
    ['second', 2],
    ['first', 1],
    ['third', 3],
  ] as const)
    await call(name, quota);
  await page.goto('/token');
  await unfold(page);
  await orderBothWays(page, 'column:remain_quota', ['first', 'second', 'third']);
  const newest = Math.floor(Date.now() / 1000);
  for (const [index, token] of ['early', 'later'].entries())
    seedLogs(product, { owner: person, count: 1, newest: newest - 60 + index, token });
  await page.goto('/log?type=2');
  await orderBothWays(page, 'Time', ['early', 'later']);
});
