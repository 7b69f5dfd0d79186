import { createTestUser, seedLogs } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { workerGateway } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { withOption } from '../../testing/options.ts';
import { address } from '../../testing/page.ts';

it('shows usage by a tag and opens the logs of a value with the tag in their details', async () => {
  const { url, folder } = await workerGateway();
  await withOption('TagKeys', 'team,end_user');
  const owner = await createTestUser(url, { quota: 1_000_000 });
  const newest = Math.floor(Date.now() / 1000);
  const detail = JSON.stringify({ request_tags: { team: 'search', end_user: 'customer-1' } });
  seedLogs({ folder }, { owner, count: 3, newest, detail });
  seedLogs({ folder }, { owner, count: 2, newest });
  const { user } = await openConsole('/usage?columns=none&range=today', { as: owner });
  await screen.findByRole('option', { name: 'End user' }).catch(() => undefined);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Rows' }), 'Tag: team');
  await expect.poll(address).toMatch(/rows=tag.*tagKey=team/);
  await user.click(await screen.findByRole('link', { name: '3' }));
  await expect.poll(address).toMatch(/^\/log\?.*tag=team%3Dsearch/);
  await screen.findByText('Tag: team=search');
  const [open] = await screen.findAllByRole('button', { name: /^Request details/ });
  if (open) await user.click(open);
  await screen.findByText('customer-1');
});
