import { budgetApi, limitRuleApi, ownBudgetApi, tokenApi, userSupportApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { chooseAction, expectMessage, fill, findButton, findMoney, findTextbox } from '../../testing/page.ts';
import { Steps } from '../../testing/steps.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

const rows = async (tokenName: string) => {
  const client = await asRoot(await gatewayUrl());
  const tokens = await client.call(tokenApi.search, { query: { keyword: tokenName } });
  const ids = tokens.map(({ id }) => id);
  const [budgets, limits] = [await client.call(ownBudgetApi.list), await client.call(limitRuleApi.own)];
  return {
    tokens,
    budgets: budgets.filter(({ kind, owner_id }) => kind === 'token' && ids.includes(owner_id)),
    limits: limits.filter(({ token_id }) => ids.includes(token_id)),
  };
};

it('limits a token to $5 a day and 10 requests a minute in at most 5 steps from Home', async () => {
  const name = uniqueName('ci');
  const root = await asRoot(await gatewayUrl());
  const { id } = await root.call(tokenApi.create, { body: { name } });
  const { user } = await openWithNavigation('/', { as: rootAccount });
  await findButton(/^Go to/);
  const steps = new Steps(user);
  await steps.press('{Control>}k{/Control}');
  await steps.type(await screen.findByRole('combobox', { name: 'Search or run a command' }), name);
  await steps.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }));
  const day = await findMoney('Spend per day');
  await steps.click(day);
  await steps.type(day, '5');
  const requests = await findTextbox('Requests per minute');
  await steps.click(requests);
  await steps.type(requests, '10');
  await steps.press('{Enter}');
  await expectMessage('Token updated');
  steps.expectAtMost(5);
  const { budgets, limits } = await rows(name);
  expect(budgets).toMatchObject([{ kind: 'token', owner_id: id, amount: 2_500_000, period: 'day' }]);
  expect(limits).toMatchObject([{ token_id: id, measure: 'requests_per_minute', amount: 10, counts_per: 'all' }]);
});

it('creates a token with limits, changes one, and removes another', async () => {
  const name = uniqueName('limited');
  const { user, network } = await openConsole('/token/add', { as: rootAccount });
  fill(await findTextbox('Name'), name);
  fill(await findMoney('Spend per month'), '100');
  fill(await findTextbox('Concurrent requests'), '3');
  await user.click(await findButton('Create token'));
  await expectMessage('Token created');
  const { budgets, limits } = await rows(name);
  expect(budgets).toMatchObject([{ amount: 50_000_000, period: 'month' }]);
  expect(limits).toMatchObject([{ measure: 'requests_under_way', amount: 3 }]);
  const edited = network.calls.length;
  await chooseAction(user, name, 'Edit');
  const month = await findMoney('Spend per month');
  expect(month.value).toBe('100');
  fill(month, '50');
  fill(await findTextbox('Concurrent requests'), '');
  await user.click(await findButton('Save token'));
  await expectMessage('Token updated');
  expect(await rows(name)).toMatchObject({ budgets: [{ id: budgets[0]?.id, amount: 25_000_000 }], limits: [] });
  const changes = network.calls.slice(edited).filter(({ method }) => method !== 'GET');
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /api/token/']);
});

it('keeps the input and saves nothing when the server rejects a limit', async () => {
  const name = uniqueName('retried');
  const { user, network } = await openConsole('/token/add', { as: rootAccount });
  fill(await findTextbox('Name'), name);
  fill(await findMoney('Spend per day'), '5');
  const repair = network.fail('POST', '/api/token/', 200, 'policy.day: Too small');
  await user.click(await findButton('Create token'));
  await expectMessage('policy.day: Too small');
  expect((await findMoney('Spend per day')).value).toBe('5');
  repair();
  await user.click(await findButton('Create token'));
  await expectMessage('Token created');
  const { tokens, budgets } = await rows(name);
  expect(tokens).toHaveLength(1);
  expect(budgets).toMatchObject([{ amount: 2_500_000, period: 'day' }]);
});

it('shows that an admin disabled a token, and offers no action to enable it', async () => {
  const url = await gatewayUrl();
  const { owner, tokens } = await createTokenOwner({ name: 'leaky' });
  const root = await asRoot(url);
  const [token] = tokens;
  const params = { id: token?.user_id ?? 0 };
  await root.call(userSupportApi.disableTokens, { params, body: { reason: 'found on GitHub' } });
  const { user } = await openConsole('/token', { as: owner });
  const row = (await screen.findByText('leaky')).closest('tr') as HTMLElement;
  await user.hover(within(row).getByText('Disabled'));
  await screen.findByText('Disabled by an admin: found on GitHub');
  await user.click(within(row).getByRole('button', { name: 'More actions for leaky' }));
  await screen.findByRole('menuitem', { name: 'Delete' });
  expect(screen.queryByRole('menuitem', { name: 'Enable' })).toBeNull();
});

it("shows that an admin disabled all of the user's tokens, and blocks new ones until an admin allows them", async () => {
  const url = await gatewayUrl();
  const { owner, tokens } = await createTokenOwner({ name: 'cut-off' });
  const root = await asRoot(url);
  const params = { id: tokens[0]?.user_id ?? 0 };
  await root.call(userSupportApi.disableTokens, { params, body: {} });
  await openConsole('/token', { as: owner });
  await screen.findByText('You cannot create or enable tokens until an admin allows it.');
  expect(screen.queryByRole('link', { name: 'Add token' })).toBeNull();
  const { user } = await openConsole(`/user/view/${params.id}`, { as: rootAccount });
  await user.click(await findButton('Allow tokens again'));
  await expect.poll(() => screen.queryByText('This user cannot create or enable tokens')).toBeNull();
  await openConsole('/token', { as: owner });
  await screen.findByRole('link', { name: 'Add token' });
});

it('lets a common user set spending limits on a token, but no rate limits', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const { user } = await openConsole('/token/add', { as: person });
  fill(await findTextbox('Name'), 'mine');
  const day = await findMoney('Spend per day');
  expect(screen.queryByRole('textbox', { name: 'Requests per minute' })).toBeNull();
  fill(day, '0');
  await user.click(await findButton('Create token'));
  await within(screen.getByRole('main')).findByText('Enter an amount above 0');
  fill(day, '5');
  await user.click(await findButton('Create token'));
  await expectMessage('Token created');
  const root = await asRoot(url);
  const budgets = await root.call(budgetApi.list, { query: { kind: 'token', keyword: person.username } });
  expect(budgets).toMatchObject([{ amount: 2_500_000, period: 'day', owner: 'mine' }]);
});
