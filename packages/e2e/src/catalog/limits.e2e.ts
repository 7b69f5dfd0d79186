import { channelApi, limitRuleApi, tokenApi } from '@headgate/contract';
import { expectAccessible } from '../support/accessibility.ts';
import { createChannel } from '../support/channels.ts';
import { asRoot, createTestUser, rootAccount, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('creates a limit with the keyboard, and shows deleted subjects', async ({ page, product }) => {
  await signInAs(page, rootAccount);
  const root = await asRoot(product.url);
  const person = await createTestUser(product.url);
  const client = await signedInClient(product.url, person);
  const token = await client.call(tokenApi.create, { body: { name: uniqueName('laptop') } });
  const channel = await createChannel(product.url);
  const note = uniqueName('note');
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
  await page.getByLabel('Note').fill(note);
  await page.getByRole('button', { name: 'Create limit' }).click();
  await expect(page.getByText('Limit created')).toBeVisible();
  const [stored] = await root.call(limitRuleApi.list, { query: { keyword: note } });
  expect(stored).toMatchObject({ user_id: person.id, token_id: token.id, channel_id: channel.id });

  await root.call(channelApi.remove, { params: { id: channel.id } });
  await client.call(tokenApi.remove, { params: { id: token.id } });
  await page.goto(`/limit?keyword=${note}`);
  await expect(page.getByText(`Channel #${channel.id} (deleted)`)).toBeVisible();
  await expectAccessible(page, 'limits of deleted subjects');
  await root.call(limitRuleApi.remove, { params: { id: stored?.id ?? 0 } });
});
