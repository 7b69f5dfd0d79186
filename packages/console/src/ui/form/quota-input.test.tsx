import { createTestUser, rootAccount } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton, findTextbox } from '../../testing/page.ts';

it('accepts a quota in dollars or points, and adds amounts with a button', async () => {
  const person = await createTestUser(await gatewayUrl(), { quota: 750_000 });
  const { user, network } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount });
  const quota = await findTextbox('Remaining quota');
  fill(quota, '$12.50');
  await screen.findByText('6,250,000 points');
  fireEvent.blur(quota);
  await expect.poll(() => quota.value).toBe('12.5');
  await user.click(within(screen.getByRole('radiogroup', { name: 'Unit' })).getByText('points'));
  await expect.poll(() => quota.value).toBe('6,250,000');
  await user.click(await findButton('Add $10'));
  await expect.poll(() => quota.value).toBe('11,250,000');
  screen.getByText('Worth $22.50');
  await user.click(await findButton('Save user'));
  await expect.poll(() => network.sent('PUT', '/api/user/').length).toBe(1);
  expect(network.sent('PUT', '/api/user/')[0]?.body).toMatchObject({ quota: 11_250_000, quota_was: 750_000 });
});

it('[S5.29] rejects an ambiguous amount', async () => {
  const { user, network } = await openConsole('/token/add', { as: await createTestUser(await gatewayUrl()) });
  fill(await findTextbox('Name'), 'careful');
  const quota = await findTextbox('Remaining quota');
  fill(quota, '1.500.000');
  await screen.findByText('Worth $3.00');
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
