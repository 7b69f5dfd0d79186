import { role } from '@headgate/contract';
import { createChannel, createTestUser, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectAddress, fill } from '../../../testing/page.ts';

it('compares two models and keeps them in the URL', async () => {
  const [one, other] = [uniqueName('one'), uniqueName('other')];
  const { user } = await openConsole('/usage', { as: await createTestUser(await gatewayUrl(), { role: role.admin }) });
  await user.click(await screen.findByRole('link', { name: 'Compare' }));
  fill(within(await screen.findByRole('group', { name: 'First' })).getByLabelText('Model'), one);
  fill(within(screen.getByRole('group', { name: 'Second' })).getByLabelText('Model'), other);
  await expectAddress(`/compare?model=${one}&other_model=${other}`);
  const table = within(await screen.findByRole('table'));
  await expect
    .poll(() => table.getAllByRole('columnheader').map(({ textContent }) => textContent))
    .toEqual(['Metric', one, other]);
  expect(table.getByRole('row', { name: /^Requests/ }).textContent).toBe('Requests00');
});

it('names the channels in the headings', async () => {
  const url = await gatewayUrl();
  const { id, name } = await createChannel(url);
  const as = await createTestUser(url, { role: role.admin });
  await openConsole(`/compare?channel=${id}&other_model=gpt-4o&other_channel=${id}`, { as });
  const table = within(await screen.findByRole('table'));
  await table.findByRole('columnheader', { name });
  await table.findByRole('columnheader', { name: `gpt-4o · ${name}` });
});
