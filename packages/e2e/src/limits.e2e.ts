import { channelApi, type LimitRule, limitRuleApi, tokenApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createChannel } from './channels.ts';
import { expectFine } from './looks.ts';
import { asRoot, clientOf, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { fillAndLeave } from './steps.ts';

const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

async function makeLimit(url: string, note: string): Promise<LimitRule> {
  const root = await asRoot(url);
  return root.call(limitRuleApi.create, {
    body: { note, group: 'default', model: 'gpt-5*', measure: 'requests_per_minute', amount: 60, counts_per: 'user' },
  });
}

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('a limit is made in the form, and listed as a sentence', async ({ page, product }) => {
  const note = freshName('note');
  await page.goto('/limit');
  await page.getByRole('link', { name: 'Add limit' }).first().click();
  await page.getByLabel('What is limited').selectOption('Tokens a day');
  await page.getByLabel('At most').fill('20000');
  await page.getByLabel('Counted').selectOption('Each token for itself');
  await fillAndLeave(page.getByRole('combobox', { name: 'Group' }), 'vip');
  await fillAndLeave(page.getByRole('combobox', { name: 'Model' }), 'claude-*');
  await page.getByLabel('Note').fill(note);
  await page.getByRole('button', { name: 'Create limit' }).click();
  await expect(page.getByText('Limit created')).toBeVisible();
  await page.goto(`/limit?keyword=${note}`);
  const row = rowOf(page, note);
  for (const words of ['Group vip · claude-*', '20,000 tokens a day, each token', '0 of 20,000', 'Enabled'])
    await expect(row.getByText(words, { exact: true })).toBeVisible();
  const [stored] = await (await asRoot(product.url)).call(limitRuleApi.list, { query: { keyword: note } });
  expect(stored).toMatchObject({ measure: 'tokens_per_day', amount: 20_000, counts_per: 'token', group: 'vip' });
});

test('a limit is changed, switched off and on, and deleted when that is confirmed', async ({ page, product }) => {
  const note = freshName('note');
  const { id } = await makeLimit(product.url, note);
  const root = await asRoot(product.url);
  const stored = () => root.call(limitRuleApi.get, { params: { id } });
  await page.goto(`/limit?keyword=${note}`);
  await expect(rowOf(page, note).getByText('60 requests a minute, each user')).toBeVisible();
  await rowOf(page, note).getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('At most').fill('30');
  await page.getByRole('button', { name: 'Save limit' }).click();
  await expect(rowOf(page, note).getByText('30 requests a minute, each user')).toBeVisible();
  const choose = async (action: string) => {
    await rowOf(page, note)
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await choose('Disable');
  await expect(rowOf(page, note).getByText('Disabled', { exact: true })).toBeVisible();
  await expect.poll(async () => (await stored()).enabled).toBe(false);
  await choose('Enable');
  await expect.poll(async () => (await stored()).enabled).toBe(true);
  await choose('Delete');
  await page.getByRole('button', { name: 'Delete limit' }).click();
  await expect(rowOf(page, note)).toHaveCount(0);
  expect((await root.send(limitRuleApi.get, { params: { id } })).body).toMatchObject({ success: false });
});

test('what cannot be is told at the field, and nothing is lost', async ({ page, product }) => {
  const client = await clientOf(product.url, await createPerson(product.url));
  const { id, name } = await client.call(tokenApi.create, { body: { name: freshName('brief') } });
  await page.goto('/limit/add');
  await page.getByLabel('At most').fill('');
  await page.getByLabel('Note').fill('stays');
  await page.getByRole('button', { name: 'Create limit' }).click();
  await expect(page.getByText('Must be at least 1')).toBeVisible();
  await page.getByLabel('At most').fill('5');
  const token = page.getByRole('combobox', { name: 'Token' });
  await token.fill('no such token');
  await expect(page.getByText('Nothing has this in its name').filter({ visible: true })).toHaveCount(1);
  await token.fill(name);
  await page.getByRole('option', { name }).click();
  await client.call(tokenApi.remove, { params: { id } });
  await page.getByRole('button', { name: 'Create limit' }).click();
  await expect(page.getByText('The user, token or channel of this limit does not exist')).toBeVisible();
  await expect(page.getByLabel('Note')).toHaveValue('stays');
});

test('the cost of one request is typed as money, and not counted together', async ({ page }) => {
  await page.goto('/limit/add');
  await page.getByLabel('What is limited').selectOption('Cost of one request');
  await expect(page.getByLabel('Counted')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'At most' })).toBeVisible();
});

for (const width of [1280, 390])
  test(`users, tokens and channels are chosen by name, by keyboard alone, ${width} px wide`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const root = await asRoot(product.url);
    const person = await createPerson(product.url);
    const client = await clientOf(product.url, person);
    const token = await client.call(tokenApi.create, { body: { name: freshName('laptop') } });
    const channel = await createChannel(product.url);
    const note = freshName('note');
    await page.goto('/limit/add');
    const pick = async (field: string, typed: string, option: string) => {
      await page.getByRole('combobox', { name: field }).focus();
      await page.keyboard.type(typed);
      await expect(page.getByRole('option', { name: option })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: field })).toHaveAttribute('aria-expanded', 'false');
    };
    await pick('User', person.username.slice(1), person.username);
    await pick('Token', token.name.slice(1), `${token.name} (${person.username})`);
    await pick('Channel', channel.name.slice(1), channel.name);
    await expect(page.getByRole('combobox', { name: 'Token' })).toHaveValue(`${token.name} (${person.username})`);
    await expectFine(page, 'limit form');
    await page.getByLabel('Note').fill(note);
    await page.getByRole('button', { name: 'Create limit' }).click();
    await expect(page.getByText('Limit created')).toBeVisible();
    const [stored] = await root.call(limitRuleApi.list, { query: { keyword: note } });
    expect(stored).toMatchObject({ user_id: person.id, token_id: token.id, channel_id: channel.id });

    await page.goto(`/limit?keyword=${note}`);
    const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    await expect(link(`Channel ${channel.name}`)).toHaveAttribute('href', `/channel/edit/${channel.id}`);
    await expect(link(`Token ${token.name}`)).toHaveAttribute('href', `/user/view/${person.id}`);
    await root.call(channelApi.remove, { params: { id: channel.id } });
    await client.call(tokenApi.remove, { params: { id: token.id } });
    await page.reload();
    await expect(page.getByText(`Channel #${channel.id} (gone)`)).toBeVisible();
    await expect(link(`User ${person.username}`)).toHaveAttribute('href', `/user/view/${person.id}`);
    await expectFine(page, 'limits of what is gone');
    await page.goto(`/limit/edit/${stored?.id}`);
    await expect(page.getByRole('combobox', { name: 'Channel' })).toHaveValue(`#${channel.id}, which is gone`);
    await root.call(limitRuleApi.remove, { params: { id: stored?.id ?? 0 } });
  });
