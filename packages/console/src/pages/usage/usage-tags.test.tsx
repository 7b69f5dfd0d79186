import { createTestUser, seedLogs } from '@headgate/testkit';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { workerGateway } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { withOption } from '../../testing/options.ts';
import { address } from '../../testing/page.ts';

function findOpenButton(): Element {
  const button = document.querySelector('[data-log-key]');
  if (!button) throw new Error('no log');
  return button;
}

it('shows usage by tag, and opens the logs of a tag value with the tag in their details', async () => {
  const { url, folder } = await workerGateway();
  await withOption('TagKeys', 'team,end_user');
  const owner = await createTestUser(url, { quota: 1_000_000 });
  const newest = Math.floor(Date.now() / 1000);
  const detail = JSON.stringify({ request_tags: { team: 'search', end_user: 'customer-1' } });
  seedLogs({ folder }, { owner, count: 3, newest, detail });
  seedLogs({ folder }, { owner, count: 2, newest });
  const { user } = await openConsole('/usage?columns=none&range=today', { as: owner });
  await screen.findAllByText('Tag: team');
  await user.selectOptions(screen.getByLabelText('Rows'), 'Tag: team');
  await expect.poll(address).toMatch(/rows=tag.*tagKey=team/);
  await user.click(await screen.findByRole('link', { name: '3' }));
  await expect.poll(address).toMatch(/^\/log\?.*tag=team%3Dsearch/);
  await screen.findByText('Tag: team=search');
  await user.click(await waitFor(() => findOpenButton()));
  await screen.findByText('customer-1');
});
