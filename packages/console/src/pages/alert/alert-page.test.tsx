import { alertApi, role } from '@headgate/contract';
import { AlertDestinations, asRoot, createTestUser, rootAccount } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton, messages } from '../../testing/page.ts';

const expectNoDialog = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull();
const findDialog = async () => within(await screen.findByRole('dialog'));

it('adds and tests a destination, creates a rule that notifies it, and shows the history', async () => {
  await using out = await AlertDestinations.start();
  const root = await asRoot(await gatewayUrl());
  const { user, network } = await openConsole('/alerts', { as: rootAccount });
  await screen.findByText(/^No destinations yet\./);
  expect(await findButton('Add rule')).toHaveProperty('disabled', true);

  await user.click(await findButton('Add destination'));
  const form = await findDialog();
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  await user.selectOptions(form.getByLabelText(/^Type/), 'Telegram');
  await save();
  expect((await form.findAllByText('Please fill this in')).length).toBeGreaterThan(0);
  const settings = out.settings()['telegram'] ?? {};
  fill(form.getByLabelText(/^Name/), 'Night shift');
  fill(form.getByLabelText(/^Bot token/), settings['token'] ?? '');
  fill(form.getByLabelText(/^Chat ID/), '12');
  fill(form.getByLabelText(/^Server address/), settings['address'] ?? '');
  await save();
  await expectMessage('Destination saved');

  await user.click(await findButton('Send test to Night shift'));
  await screen.findByText('Delivery failed: HTTP 400, ok false, Bad Request: chat not found');
  await user.click(await findButton('Edit Night shift'));
  const edited = await findDialog();
  expect(edited.getByLabelText(/^Bot token/)).toHaveProperty('value', '');
  fill(edited.getByLabelText(/^Chat ID/), '-100123');
  await save();
  await expectNoDialog();
  await user.click(await findButton('Send test to Night shift'));
  await screen.findByText(/^Delivered in \d+ ms: HTTP 200, ok true/);

  await user.click(await findButton('Add rule'));
  await user.selectOptions((await findDialog()).getByLabelText(/^Event/), 'New admin');
  await save();
  await screen.findByText('When a user becomes an admin, notify Night shift');
  const { username } = await createTestUser(await gatewayUrl(), { role: role.admin });
  await expect.poll(() => out.alerts.length).toBe(3);
  const states = async () => (await root.call(alertApi.history, { query: {} })).map(({ state }) => state);
  await expect.poll(states).not.toContain('waiting');
  await openConsole('/alerts', { network });
  await screen.findByText(new RegExp(`${username} is now an admin`));
  expect(screen.getAllByText('Sent').some(({ localName }) => localName === 'span')).toBe(true);

  fireEvent.click(await screen.findByRole('switch', { name: 'New admin enabled' }));
  await expectMessage('Rule saved');
  await user.click(await findButton('Delete Night shift'));
  await user.click(await findButton('Delete destination'));
  await screen.findByText(/Its destinations were deleted/);
  expect(messages('error')).toEqual([]);
  await openConsole('/alerts', { network, language: 'zh' });
  await screen.findByRole('heading', { level: 1, name: '告警' });
  await screen.findByText(/当用户成为管理员时/);
  for (const { id } of await root.call(alertApi.rules)) await root.call(alertApi.removeRule, { params: { id } });
});
