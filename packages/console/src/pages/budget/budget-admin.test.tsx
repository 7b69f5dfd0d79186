import { budgetApi, role } from '@headgate/contract';
import { asRoot, createSpender, createTestUser, rootAccount, uniqueName } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectRowText } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { amountFieldName, fill, findButton, findRow } from '../../testing/page.ts';

it("lets an admin set budgets for a user and a group, and shows both on the user's page", async () => {
  const url = await gatewayUrl();
  const spender = await createSpender(url);
  const { person, group, token } = spender;
  const root = await asRoot(url);
  try {
    const admin = await createTestUser(url, { role: role.admin });
    const { user, network } = await openConsole(`/user/view/${person.id}`, { as: admin });
    const limits = () => screen.findByRole('region', { name: 'Limits and budgets' });
    const items = async () =>
      within(await limits())
        .queryAllByRole('listitem')
        .map(({ textContent }) => textContent ?? '');
    await expect.poll(async () => (await limits()).textContent).toContain('No limits or budgets');
    await user.click(within(await limits()).getByRole('link', { name: 'Add budget' }));

    const openDialog = async () => within(await screen.findByRole('dialog', { name: 'Add budget' }));
    const save = async (amount: string) => {
      fill((await openDialog()).getByRole('textbox', { name: amountFieldName('Amount') }), amount);
      await user.click((await openDialog()).getByRole('button', { name: 'Save budget' }));
      await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    };
    const owner = (await openDialog()).getByRole('combobox', { name: 'User' });
    await expect.poll(() => owner).toHaveProperty('value', person.username);
    await save('$18');
    await expectRowText(`User ${person.username}`, /\$0\.00 of \$18\.00 this month/);
    await user.click(await findButton('Add budget'));
    fill((await openDialog()).getByRole('combobox', { name: 'Group' }), group);
    await save('$9');
    await findRow(`Group ${group}`);
    expect(await spender.ask()).toBe(200);

    await user.click(screen.getByRole('link', { name: `User ${person.username}` }));
    await expect
      .poll(items)
      .toEqual([
        expect.stringMatching(new RegExp(`\\$1\\.80 of \\$9\\.00 this month.*for group ${group}`)),
        expect.stringContaining('for the account'),
      ]);
    await user.click(within(await limits()).getByRole('link', { name: 'Add limit' }));
    await expect.poll(() => screen.queryByRole('combobox', { name: 'User' })).toHaveProperty('value', person.username);
    const tokens = screen.getByRole('combobox', { name: 'Token' });
    await user.click(tokens);
    fill(tokens, token.name.slice(2));
    fireEvent.click(await screen.findByRole('option', { name: new RegExp(token.name) }));
    await user.click(await findButton('Create limit'));
    await screen.findByText('Limit created');
    await openConsole(`/user/view/${person.id}`, { network });
    await expect.poll(async () => (await limits()).textContent).toContain('60 requests per minute, each user');
    expect((await limits()).textContent).toContain(`for token ${token.name}, for the account`);
    await openConsole(`/user/view/${person.id}`, { network, language: 'zh' });
    await expect
      .poll(() => screen.queryByRole('region', { name: '限制与预算' })?.textContent)
      .toContain(`分组 ${group}`);
  } finally {
    for (const { id } of await root.call(budgetApi.list, { query: { keyword: group } }))
      await root.call(budgetApi.remove, { params: { id } });
    await spender.close();
  }
});

it('creates a budget for a request tag', async () => {
  const tag = `team=${uniqueName('t')}`;
  const { user } = await openConsole('/budget?do=add&kind=tag', { as: rootAccount });
  const dialog = within(await screen.findByRole('dialog', { name: 'Add budget' }));
  fill(dialog.getByRole('textbox', { name: amountFieldName('Amount') }), '$7');
  fill(dialog.getByLabelText(/^Request tag/), 'team');
  await user.click(dialog.getByRole('button', { name: 'Save budget' }));
  await dialog.findByText('Enter a tag as key=value');
  fill(dialog.getByLabelText(/^Request tag/), tag);
  await user.click(dialog.getByRole('button', { name: 'Save budget' }));
  await expectRowText(`Request tag ${tag}`, /\$0\.00 of \$7\.00 this month/);
  const root = await asRoot(await gatewayUrl());
  const [stored] = await root.call(budgetApi.list, { query: { keyword: tag } });
  expect(stored).toMatchObject({ kind: 'tag', owner: tag });
  await root.call(budgetApi.remove, { params: { id: stored?.id ?? 0 } });
});
