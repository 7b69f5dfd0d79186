import { createTestUser, rootAccount } from '@headgate/testkit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton, findMoney, findTextbox } from '../../testing/page.ts';

it('accepts an amount in dollars, and adds amounts with a button', async () => {
  const person = await createTestUser(await gatewayUrl(), { quota: 750_000 });
  const { user, network } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount });
  const quota = await findMoney('Remaining quota');
  fill(quota, '$12.50');
  await screen.findByText('= 6,250,000 points');
  fireEvent.blur(quota);
  await expect.poll(() => quota.value).toBe('12.50');
  await user.click(await findButton('Add $10'));
  await expect.poll(() => quota.value).toBe('22.50');
  screen.getByText('= 11,250,000 points');
  await user.click(await findButton('Save user'));
  await expect.poll(() => network.sent('PUT', '/api/user/').length).toBe(1);
  expect(network.sent('PUT', '/api/user/')[0]?.body).toMatchObject({ quota: 11_250_000, quota_was: 750_000 });
});

it('[S5.29] rejects an ambiguous amount', async () => {
  const { user, network } = await openConsole('/token/add', { as: await createTestUser(await gatewayUrl()) });
  fill(await findTextbox('Name'), 'careful');
  const quota = await findMoney('Remaining quota');
  fill(quota, '1.500.000');
  await screen.findByText('= 750,000,000,000 points');
  fill(quota, '1.500');
  await user.click(await findButton('Create token'));
  await screen.findByText('“1.500” could mean 1.5 or 1,500. Enter 1.5 or 1500.');
  expect(document.activeElement).toBe(quota);
  expect(quota.value).toBe('1.500');
  expect(network.sent('POST', '/api/token/')).toEqual([]);
  fill(quota, '1500');
  await user.click(await findButton('Create token'));
  await expect.poll(() => network.sent('POST', '/api/token/').length).toBe(1);
});

it('shows and accepts points if currency display is off, and converts an amount with a $', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url, { quota: 750_001 });
  const network = new Network();
  network.change('GET', '/api/status', (status: object) => ({ ...status, display_in_currency: false }));
  const { user } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount, network });
  const quota = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Remaining quota (points)' });
  expect(quota.value).toBe('750,001');
  screen.getByText('= $1.500002');
  fill(quota, '$5');
  await screen.findByText('= 2,500,000 points');
  fireEvent.blur(quota);
  await expect.poll(() => quota.value).toBe('2,500,000');
  fill(quota, '5');
  await user.click(await findButton('Save user'));
  await expect.poll(() => network.sent('PUT', '/api/user/').length).toBe(1);
  expect(network.sent('PUT', '/api/user/')[0]?.body).toMatchObject({ quota: 5 });
});

it('keeps fractions of a cent when the field is focused and another field is saved', async () => {
  const person = await createTestUser(await gatewayUrl(), { quota: 750_001 });
  const { user, network } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount });
  const quota = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Remaining quota (US dollars)' });
  expect(quota.value).toBe('1.500002');
  fill(quota, '1.500002');
  fireEvent.blur(quota);
  fill(await findTextbox('Display name'), 'Ada');
  await user.click(await findButton('Save user'));
  await expect.poll(() => network.sent('PUT', '/api/user/').length).toBe(1);
  expect(network.sent('PUT', '/api/user/')[0]?.body).toEqual({ id: person.id, display_name: 'Ada' });
});

it('names the unit in Chinese', async () => {
  const person = await createTestUser(await gatewayUrl(), { quota: 2_500_000 });
  await openConsole(`/user/edit/${person.id}`, { as: rootAccount, language: 'zh' });
  expect(await screen.findByRole('textbox', { name: '剩余额度 (美元)' })).toHaveProperty('value', '5');
  screen.getByText('= 2,500,000 点');
});
