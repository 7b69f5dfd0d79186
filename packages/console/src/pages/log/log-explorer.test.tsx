import { channelApi, channelBulkApi, logApi } from '@headgate/contract';
import { asRoot, completion, createTestUser, reply, rootAccount, seedLogs, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createCaller } from '../../testing/caller.ts';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { chips, expectRowCount, rowTexts } from '../../testing/log-page.ts';
import { openConsole, openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { address, expectAddress, fill, findButton, findRow } from '../../testing/page.ts';
import { Steps } from '../../testing/steps.ts';

const overloaded = reply({ error: { message: 'the upstream is busy', type: 'server_error' } }, 503);
const searchBox = () => screen.findByRole('searchbox', { name: 'Search logs' });
const findTimeline = () => screen.findByRole('list', { name: 'Timeline' });

async function requestIdOf(username: string): Promise<string> {
  const logs = await (await asRoot(await gatewayUrl())).call(logApi.list, { query: { username, view: 'requests' } });
  return logs[0]?.request_id ?? '';
}

it('finds a request by its id in two steps, from any page', async () => {
  const caller = await createCaller();
  await caller.send();
  const id = await requestIdOf(caller.person.username);
  const { user } = await openWithNavigation('/about', { as: caller.person });
  await findButton(/^Go to/);
  const steps = new Steps(user);
  await steps.press('{Control>}k{/Control}');
  await steps.type(await screen.findByRole('combobox', { name: 'Search or run a command' }), id);
  await within(await screen.findByRole('group', { name: 'Requests' })).findByRole('option', {
    name: new RegExp(caller.model),
  });
  await steps.press('{Enter}');
  steps.expectAtMost(2);
  await findTimeline();
  await expectAddress(`/log?open=${id}`);
});

it('shows failing channels with the reason in two steps', async () => {
  const caller = await createCaller([overloaded]);
  await caller.send();
  const { user } = await openWithNavigation('/about', { as: rootAccount });
  const steps = new Steps(user);
  await steps.click(await screen.findByRole('link', { name: 'Logs' }));
  await steps.click(await findButton(/^Failed/));
  steps.expectAtMost(2);
  const row = await findRow(caller.person.username);
  expect(row.textContent).toMatch(new RegExp(`503.*${caller.model}.*Overloaded.*the upstream is busy`));
  expect(row.innerHTML).not.toMatch(/color-(green|lime)/);
});

it('searches while typing, turns the text into chips with Enter, and clears it with Escape', async () => {
  const caller = await createCaller();
  await caller.send('laptop');
  await caller.send('server');
  const { user } = await openConsole('/log', { as: rootAccount });
  const box = await searchBox();
  fill(box, `user:${caller.person.username} token:lap*`);
  await expectRowCount(1);
  await user.keyboard('{Enter}');
  expect((box as HTMLInputElement).value).toBe('');
  await expect
    .poll(chips)
    .toEqual(expect.arrayContaining(['Token name contains lap', `Username: ${caller.person.username}`]));
  fill(box, 'status:429');
  await screen.findByText('No results');
  await user.keyboard('{Escape}');
  await expectRowCount(1);
  expect(address()).not.toContain('status');
  fill(box, 'status:abc');
  await user.keyboard('{Enter}');
  await screen.findByText('Invalid: status:abc');
  expect((box as HTMLInputElement).value).toBe('status:abc');
  fill(box, await requestIdOf(caller.person.username));
  await expect.poll(address).toContain('request_id=');
});

it('steps through the list with the keyboard, and reloads the open request from its URL', async () => {
  const person = await createTestUser(await gatewayUrl());
  seedLogs(await workerGateway(), { owner: person, count: 3, newest: 1_790_000_000, model: 'm' });
  const { user, network } = await openConsole('/log', { as: person });
  await expectRowCount(3);
  const [first] = await screen.findAllByRole('button', { name: /^Request details/ });
  await user.click((first as HTMLElement).closest('tr') as HTMLElement);
  await findTimeline();
  const dialog = () => screen.getByRole('dialog').textContent;
  expect(dialog()).toContain('seed-0');
  await user.keyboard('j');
  await expect.poll(dialog).toContain('seed-1');
  await user.keyboard('{ArrowDown}');
  await expect.poll(dialog).toContain('seed-2');
  await user.keyboard('k');
  await expect.poll(dialog).toContain('seed-1');
  const link = address();
  const reloaded = (await openConsole(link, { network })).user;
  await findTimeline();
  expect(dialog()).toContain('seed-1');
  // Belongs to another user, so the list does not contain it.
  await reloaded.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await openConsole(`/log?open=seed-unknown-request`, { network });
  await screen.findByText('The log could not be loaded');
});

it('shows filter menus with counts, and hides channels from users', async () => {
  const caller = await createCaller([completion()]);
  await caller.send('ci');
  await caller.send('web');
  const { user, network } = await openConsole('/log', { as: caller.person });
  await user.click(await findButton('Token'));
  await user.click(await screen.findByRole('menuitem', { name: /^web/ }));
  await expectRowCount(1);
  await expectAddress('/log?token_name=web');
  expect(screen.queryByRole('button', { name: 'Channel' })).toBeNull();
  await user.click(await findButton(/^Request details/));
  await findTimeline();
  const drawer = screen.getByRole('dialog');
  expect(drawer.textContent).toMatch(/Received.*Sent to the channel.*Completed/);
  expect(drawer.textContent).not.toMatch(/Our cost|Margin/);
  expect(network.sent('GET', '/api/log/')).toEqual([]);
});

it('copies a request as a curl command without a key', async () => {
  const caller = await createCaller();
  await caller.send();
  const { user } = await openConsole(`/log`, { as: caller.person });
  await user.click(await findButton(/^Request details/));
  await user.click(await findButton('Copy as curl'));
  await screen.findByText('Copied');
  const text = await navigator.clipboard.readText();
  expect(text).toContain(`"model":"${caller.model}"`);
  expect(text).toContain('Bearer $HEADGATE_TOKEN');
  expect(text).not.toContain('sk-');
  await user.click(await findButton('Try again in the playground'));
  await expectAddress(`/playground?model=${caller.model}`);
  await screen.findByText('The message of the request is not stored. Only the model was filled in.');
});

it('appends new requests while live mode is on, and can be paused', async () => {
  const caller = await createCaller();
  await caller.send('before');
  const { user } = await openConsole('/log', { as: caller.person });
  await expectRowCount(1, 'before');
  await user.click(await findButton('Live'));
  await caller.send('later');
  await expect.poll(() => rowTexts()[0]).toContain('later');
  await user.click(await findButton('Live'));
  expect((await findButton('Live')).getAttribute('aria-pressed')).toBe('false');
});

it('lists a bulk change as one event with its changes', async () => {
  const caller = await createCaller([completion(), completion()]);
  const client = await signedInClient(await gatewayUrl(), rootAccount);
  for (const id of caller.channels) await client.call(channelApi.update, { body: { id, priority: 1 } });
  await client.call(channelBulkApi.run, {
    body: { chosen: { ids: [...caller.channels] }, change: { kind: 'priority', priority: 42 } },
  });
  const { user } = await openConsole('/log?view=audit', { as: rootAccount });
  const row = await findRow('changed 2 channels in bulk');
  await user.click(within(row).getByRole('button', { name: /^Request details/ }));
  const changes = await screen.findAllByText(/changed channel .* in bulk: priority 1 → 42/);
  expect(changes).toHaveLength(2);
});

it('shows compact cards on a phone', async () => {
  const caller = await createCaller([overloaded]);
  await caller.send();
  await openConsole('/log', { as: caller.person, width: phoneWindowWidth });
  const card = await findRow(caller.model, 'listitem');
  within(card).getByText('just now');
  within(card).getByText('503');
  within(card).getByText('Overloaded');
});
