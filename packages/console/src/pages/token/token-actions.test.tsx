import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { chooseAction, expectAddress, expectAlert, expectInRow, expectRows, findButton } from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

const copied = () => navigator.clipboard.readText();

it('[S2.130 S2.131 S3.25 S9.46] copies the key with its prefix, and as a link for each of four clients', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const { user } = await openConsole('/token', { as: owner });
  const key = `sk-${tokens[0]?.key}`;
  const server = window.location.origin;
  await user.click(await findButton('Copy key: mine'));
  await screen.findByText('Copied');
  expect(await copied()).toBe(key);
  for (const [client, link] of [
    ['ChatGPT Next Web', `https://app.nextchat.dev/#/?settings={"key":"${key}","url":"${server}"}`],
    ['AMA', `ama://set-api-key?server=${encodeURIComponent(server)}&key=${key}`],
    ['OpenCat', `opencat://team/join?domain=${encodeURIComponent(server)}&token=${key}`],
    ['LobeChat', `https://lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"${key}","baseURL":"${server}/v1"}}}`],
  ] as const) {
    await chooseAction(user, 'mine', 'Copy for', client);
    await expect.poll(copied).toBe(link);
  }
});

it('[S2.132 S2.133] opens the same four clients with the key', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const { user } = await openConsole('/token', { as: owner });
  for (const [client, start] of [
    ['ChatGPT Next Web', 'https://app.nextchat.dev/#/?settings='],
    ['AMA', 'ama://set-api-key?server='],
    ['OpenCat', 'opencat://team/join?domain='],
    ['LobeChat', 'https://lobehub.com/?settings='],
  ] as const) {
    await chooseAction(user, 'mine', 'Open chat in', client);
    const opened = String(open.mock.lastCall?.[0]);
    expect(opened).toContain(start);
    expect(opened).toContain(`sk-${tokens[0]?.key}`);
  }
});

it('[S3.23 S3.25] uses the chat link and server address of the gateway', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const network = new Network();
  network.change('GET', '/api/status', (status: object) => ({
    ...status,
    chat_link: 'https://chat.example/app/',
    server_address: 'https://gate.example',
  }));
  const { user } = await openWithNavigation('/token', { as: owner, network });
  const key = `sk-${tokens[0]?.key}`;
  const chat = 'https://chat.example/app';
  const next = `${chat}/#/?settings={"key":"${key}","url":"https://gate.example"}`;
  for (const [client, link] of [
    ['ChatGPT Next Web', next],
    ['AMA', `ama://set-api-key?server=https%3A%2F%2Fgate.example&key=${key}`],
    ['OpenCat', `opencat://team/join?domain=https%3A%2F%2Fgate.example&token=${key}`],
    ['LobeChat', `${chat}/?settings={"keyVaults":{"openai":{"apiKey":"${key}","baseURL":"https://gate.example/v1"}}}`],
  ] as const) {
    await chooseAction(user, 'mine', 'Copy for', client);
    await expect.poll(copied).toBe(link);
  }
  await chooseAction(user, 'mine', 'Open chat in', 'ChatGPT Next Web');
  expect(open.mock.lastCall?.[0]).toBe(next);
  await user.click(within(screen.getByRole('navigation')).getByRole('link', { name: 'Chat' }));
  await expectAddress('/chat');
  expect((await screen.findByTitle('Chat')).getAttribute('src')).toBe('https://chat.example/app/');
});

it('[S2.139 S2.140] puts a key that cannot be copied into the search box and selects it, without searching', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const { user, network } = await openConsole('/token', { as: owner });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  Object.assign(document, { execCommand: () => false });
  await user.click(await findButton('Copy key: mine'));
  await screen.findByText('Unable to copy to the clipboard, please copy manually');
  const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search by name' });
  expect(box.value).toBe(`sk-${tokens[0]?.key}`);
  expect([box.selectionStart, box.selectionEnd]).toEqual([0, 51]);
  await user.tab();
  await expectAddress('/token');
  await chooseAction(user, 'mine', 'Copy for', 'AMA');
  await expect.poll(() => box.value).toMatch(/^ama:\/\//);
  expect(network.sent('GET', '/api/token/search')).toEqual([]);
});

it('[S2.135 S4.19 S7.51 S8.12 S1.5] disables and enables a token with a status-only update', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const { user, network } = await openConsole('/token', { as: owner });
  for (const [action, status, label] of [
    ['Disable', 2, 'Disabled'],
    ['Enable', 1, 'Enabled'],
  ] as const) {
    await chooseAction(user, 'mine', action);
    await screen.findByText('Operation completed successfully');
    await expectInRow('mine', label);
    const [update] = network.sent('PUT', '/api/token/');
    expect(update).toMatchObject({ query: { status_only: 'true' }, body: { id: tokens[0]?.id, status } });
    network.calls.length = 0;
  }
  await chooseAction(user, 'mine', 'Disable');
  await expectInRow('mine', 'Disabled');
  await openConsole('/token', { as: owner });
  await expectInRow('mine', 'Disabled');
});

it('[S8.8] shows the reason when a token cannot be enabled, and keeps its status', async () => {
  const { owner } = await createTokenOwner({ name: 'spent', remain_quota: 0 });
  const { user } = await openConsole('/token', { as: owner });
  await chooseAction(user, 'spent', 'Enable');
  await expectAlert(/quota/i);
  await expectInRow('spent', 'Exhausted');
});

it('[S2.134 S7.52 S8.12 S1.5] deletes a token after a confirmation', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'keep' }, { name: 'drop' });
  const { user, network } = await openConsole('/token', { as: owner });
  await chooseAction(user, 'drop', 'Delete');
  const question = within(await screen.findByRole('dialog'));
  await question.findByText('Delete token drop?');
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await expectRows(['drop', 'keep']);
  const path = `/api/token/${tokens[1]?.id}/`;
  expect(network.sent('DELETE', path)).toEqual([]);
  await chooseAction(user, 'drop', 'Delete');
  await user.click(await findButton('Delete token'));
  await screen.findByText('Operation completed successfully');
  await expectRows(['keep']);
  expect(network.sent('DELETE', path)).toHaveLength(1);
});
