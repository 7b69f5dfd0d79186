import { createTestUser, rootAccount, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectMessage } from '../../../testing/page.ts';

it('ends all sessions of a user', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const clients = [await signedInClient(url, person), await signedInClient(url, person)];
  const statuses = () =>
    Promise.all(clients.map(async (client) => (await client.request('GET', '/api/user/self')).status));
  expect(await statuses()).toEqual([200, 200]);
  const { user, network } = await openConsole(`/user/view/${person.id}`, { as: rootAccount });
  const section = within(await screen.findByRole('region', { name: 'Sessions' }));
  await section.findAllByText(/ · node$/);
  await user.click(section.getByRole('button', { name: 'Log out of all devices' }));
  await expectMessage('Operation completed successfully');
  await section.findByText('No active sessions');
  expect(section.queryByText(/ · node$/)).toBeNull();
  expect(await statuses()).toEqual([401, 401]);
  expect((await network.fetch('/api/user/self')).status).toBe(200);
});
