import { rootAccount } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openConsole } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton } from '../../testing/page.ts';

it('adds a folder destination, tests, pauses and deletes it', async () => {
  const { user } = await openConsole('/log-export', { as: rootAccount });
  await screen.findByText(/^No log exports yet\./);
  await user.click(await findButton('Add log export'));
  const form = within(await screen.findByRole('dialog'));
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  await save();
  expect((await form.findAllByText('Please fill this in')).length).toBeGreaterThan(3);
  await user.selectOptions(form.getByLabelText(/^Type/), 'Folder');
  fill(form.getByLabelText(/^Name/), 'Disk');
  fill(form.getByLabelText(/^Folder name/), 'console-test');
  await save();
  await expectMessage('Log export saved');
  await screen.findByText('Folder · console-test');
  await user.click(await findButton('Send test to Disk'));
  await screen.findByText(/^Delivered in \d+ ms: stored logs\/test\.ndjson\.gz/);
  await user.click(await screen.findByRole('switch', { name: 'Disk enabled' }));
  await screen.findByText('Paused');
  await user.click(await findButton('Delete Disk'));
  await user.click(await findButton('Delete log export'));
  await expectMessage('Log export deleted');
  await screen.findByText(/^No log exports yet\./);
});
