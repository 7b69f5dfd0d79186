import { ownBudgetApi } from '@headgate/contract';
import { createSpender, signedInClient } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectNoRow, expectRowText } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { amountFieldName, fill, findButton, findRow } from '../../testing/page.ts';

/** Creates a user with a token; each request costs $1.80. */
async function newSpender() {
  const url = await gatewayUrl();
  const { ask, close, person, token } = await createSpender(url);
  onTestFinished(close);
  const client = await signedInClient(url, person);
  const send = async (times: number) => {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) statuses.push(await ask());
    return statuses;
  };
  /** Waits until this amount is counted, because usage is stored after the response. */
  const expectUsed = (dollars: number) =>
    expect
      .poll(async () => (await client.call(ownBudgetApi.list)).map(({ used }) => used / 500_000))
      .toEqual([dollars]);
  return { person, token, client, send, expectUsed };
}

const openDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const expectNoDialog = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull();

it("creates a budget for the user's own token, and shows its usage in budgets, tokens, log and form", async () => {
  const { person, token, send, expectUsed } = await newSpender();
  const { user, network } = await openConsole('/budget', { as: person });
  await screen.findByText('No budgets yet');
  await user.click((await screen.findAllByRole('button', { name: 'Add budget' }))[0] as HTMLElement);
  const dialog = await openDialog('Add budget');
  await user.click(dialog.getByRole('button', { name: 'Save budget' }));
  await dialog.findByText('Select the owner of the budget');
  const owner = dialog.getByRole('combobox', { name: 'Token' });
  await user.click(owner);
  fill(owner, token.name.slice(2));
  fireEvent.click(await screen.findByRole('option', { name: new RegExp(token.name) }));
  const amount = dialog.getByRole('textbox', { name: amountFieldName('Amount') });
  fill(amount, '0');
  await user.click(dialog.getByRole('button', { name: 'Save budget' }));
  await dialog.findByText('Enter an amount above 0');
  fill(amount, '9');
  await dialog.findByText('= 4,500,000 points');
  await user.click(dialog.getByRole('button', { name: 'Save budget' }));
  await screen.findByText('Budget saved');
  expect(network.sent('POST', '/api/budget/self')[0]?.body).toMatchObject({ amount: 4_500_000 });
  await expectRowText(token.name, /\$0\.00 of \$9\.00 this month/);

  expect(await send(1)).toEqual([200]);
  await expectUsed(1.8);
  await openConsole('/budget', { network });
  await expectRowText(token.name, /\$1\.80 of \$9\.00 this month/);
  await openConsole('/token', { network });
  await expectRowText(token.name, /\$1\.80 of \$9\.00/);
  within(await findRow(token.name)).getByRole('progressbar', { name: '$1.80 of $9.00 this month' });

  expect(await send(3)).toEqual([200, 200, 200]);
  await expectUsed(7.2);
  await openConsole('/budget', { network });
  await expectRowText(token.name, /\$7\.20 of \$9\.00 this month/);
  const bar = within(await findRow(token.name)).getByRole('progressbar');
  expect(bar.getAttribute('aria-valuenow')).toBe('80');

  expect(await send(2)).toEqual([200, 429]);
  await expectUsed(9);
  await openConsole('/log', { network });
  await screen.findByText(/budget of token .* is used up/i);
  await openConsole(`/token/edit/${token.id}`, { network });
  const limits = await screen.findByRole('region', { name: 'Limits and budgets' });
  await expect.poll(() => limits.textContent).toContain('$9.00 of $9.00 this month');
  expect(limits.textContent).toContain('for this token');
  await user.click(within(limits).getByRole('link', { name: 'Edit Budget' }));
  const editing = await openDialog('Edit budget');
  fill(await editing.findByRole('textbox', { name: amountFieldName('Amount') }), '18');
  await user.click(editing.getByRole('button', { name: 'Save budget' }));
  await expectRowText(token.name, /\$9\.00 of \$18\.00 this month/);
  expect(await send(1)).toEqual([200]);
});

it('resets and deletes a budget after a confirmation', async () => {
  const { person, token, client, send, expectUsed } = await newSpender();
  await client.call(ownBudgetApi.create, { body: { owner_id: token.id, amount: 9_000_000, period: 'month' } });
  expect(await send(1)).toEqual([200]);
  await expectUsed(1.8);
  const { user } = await openConsole('/budget', { as: person });
  const choose = async (name: string) => {
    await user.click(within(await findRow(token.name)).getByRole('button', { name: /^(More actions|Actions)/ }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  await expectRowText(token.name, /\$1\.80 of \$18\.00 this month/);
  await choose('Reset budget');
  await user.click(await findButton('Reset budget'));
  await expectRowText(token.name, /\$0\.00 of \$18\.00 this month/);
  await choose('Delete');
  await user.click(await findButton('Cancel'));
  await expectNoDialog();
  expect(await client.call(ownBudgetApi.list)).toHaveLength(1);
  await choose('Delete');
  await user.click(await findButton('Delete budget'));
  await expectNoRow(token.name);
  expect(await client.call(ownBudgetApi.list)).toEqual([]);
});
