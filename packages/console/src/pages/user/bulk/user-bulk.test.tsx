import { tokenApi, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { expectRowText } from '../../../testing/list-page.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { amountFieldName, chooseAction, fill, findButton } from '../../../testing/page.ts';
import { applyToSelection, expectSelection, selectPage } from '../../../testing/selection.ts';

it('disables all tokens of a user', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const client = await signedInClient(url, person);
  await client.call(tokenApi.create, { body: { name: 'one' } });
  const { user } = await openConsole('/user', { as: rootAccount });
  await chooseAction(user, person.username, 'View details');
  await screen.findByRole('heading', { level: 1, name: person.username });
  const disable = await findButton('Disable all tokens');
  await expect.poll(() => disable).toHaveProperty('disabled', false);
  await user.click(disable);
  const question = within(await screen.findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Disable all tokens' }));
  await screen.findByText('2 tokens disabled');
  const tokens = within(screen.getByRole('region', { name: 'Tokens' }));
  await expect.poll(() => tokens.queryAllByText('Disabled').length).toBe(2);
  expect(await client.call(tokenApi.counts)).toEqual({ 2: 2 });
});

it('adds quota to several users, with a reason', async () => {
  const url = await gatewayUrl();
  const prefix = uniqueName('q');
  const people = [
    await createTestUser(url, { username: `${prefix}a`, quota: 0 }),
    await createTestUser(url, { username: `${prefix}b`, quota: 0 }),
  ];
  const { user } = await openConsole(`/user?keyword=${prefix}`, { as: rootAccount });
  await selectPage(user);
  await expectSelection('2 selected');
  await applyToSelection(user, 'Add quota');
  const dialog = within(await screen.findByRole('dialog', { name: /quota$/i }));
  fill(dialog.getByRole('textbox', { name: amountFieldName('Quota') }), '5');
  fill(dialog.getByRole('textbox', { name: 'Reason' }), 'the outage');
  await dialog.findByText('2 will change');
  expect(dialog.getAllByText(/\$5\.00/).length).toBeGreaterThan(0);
  await user.click(dialog.getByRole('button', { name: 'Change 2 users' }));
  await dialog.findByText('2 changed');
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  const root = await asRoot(url);
  for (const { username, id } of people) {
    await expectRowText(username, /\$5\.00/);
    expect(await root.call(userApi.get, { params: { id } })).toMatchObject({ quota: 2_500_000 });
  }
});
