import { tokenApi } from '@headgate/contract';
import { signedInClient } from '@headgate/testkit';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { chooseAction, expectAddress, fill, findButton, findRow, findTextbox } from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';
import { snippetClients } from './snippet-clients.ts';

const newTokenTitle = 'Token created. Connect a client:';
const findCreated = () => screen.findByRole('region', { name: newTokenTitle });
const expectNothingCreated = () => expect.poll(() => screen.queryByRole('region', { name: newTokenTitle })).toBeNull();

const copied = () => navigator.clipboard.readText();
const tab = (scope: HTMLElement, name: string) => within(scope).getByRole('tab', { name });
const texts = (scope: HTMLElement) =>
  [...scope.querySelectorAll('[role="tabpanel"] pre')].map(({ textContent }) => textContent);

async function createToken(user: UserEvent, name: string): Promise<void> {
  fill(await findTextbox(/^Name/), name);
  await user.click(await findButton('Create token'));
}

/** Opens the dialog of the token "mine". */
async function openDialog(user: UserEvent): Promise<HTMLElement> {
  await chooseAction(user, 'mine', 'Connect a client');
  const dialog = await screen.findByRole('dialog', { name: 'Connect a client to mine' });
  await within(dialog).findByRole('tab', { name: 'Claude Code' });
  return dialog;
}

/** Copies and returns each snippet of the selected program. */
async function copyParts(user: UserEvent, scope: HTMLElement): Promise<string[]> {
  const parts: string[] = [];
  for (const button of within(scope).getAllByRole('button', { name: /^Copy: / })) {
    await navigator.clipboard.writeText('');
    await user.click(button);
    await expect.poll(copied).not.toBe('');
    parts.push(await copied());
  }
  return parts;
}

it("shows the key of a new token in every client's snippet, and copies the displayed key", async () => {
  const { owner } = await createTokenOwner();
  const { user } = await openConsole('/token/add', { as: owner });
  await createToken(user, 'mine');
  await screen.findByText('Token created, click copy in the list to get it');
  await expectAddress('/token');
  const created = await findCreated();
  const tabs = await within(created).findAllByRole('tab');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(snippetClients.map(({ name }) => name));
  const client = await signedInClient(await gatewayUrl(), owner);
  const [token] = await client.call(tokenApi.list, { query: {} });
  for (const { name } of snippetClients) {
    await user.click(tab(created, name));
    await expect.poll(() => tab(created, name).getAttribute('aria-selected')).toBe('true');
    const parts = await copyParts(user, created);
    expect(parts, name).toEqual(texts(created));
    expect(parts.join('\n')).toContain(`sk-${token?.key}`);
    expect(parts.join('\n')).toContain(window.location.origin);
  }
  await user.click(within(created).getByRole('button', { name: 'Close' }));
  await expectNothingCreated();
});

it('hides the snippets of a new token after a reload, and when the token is deleted', async () => {
  const { owner } = await createTokenOwner({ name: 'mine' });
  const { user, network } = await openConsole('/token/add', { as: owner });
  await createToken(user, 'first');
  await findCreated();
  await openConsole('/token', { network });
  await findRow('first');
  await expectNothingCreated();
  await openConsole('/token/add', { network });
  await createToken(user, 'second');
  await findCreated();
  await chooseAction(user, 'second', 'Delete');
  await user.click(await findButton('Delete token'));
  await findRow('mine');
  await expectNothingCreated();
});

it('shows no snippets until the new token is loaded, even if an older token has the same name', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const { user, network } = await openConsole('/token', { as: owner });
  await findRow('mine');
  await user.click((await screen.findAllByRole('link', { name: 'Add token' }))[0] as HTMLElement);
  const release = network.hold('GET', '/api/token/');
  await createToken(user, 'mine');
  await screen.findByRole('heading', { level: 1, name: 'Tokens' });
  expect(screen.queryByRole('region', { name: newTokenTitle })).toBeNull();
  release();
  const created = await findCreated();
  await waitFor(() => expect(texts(created).join()).toContain('ANTHROPIC_AUTH_TOKEN='));
  expect(texts(created).join()).not.toContain(tokens[0]?.key);
});

it('masks the key of an older token until it is revealed, and copies it in full', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine', models: 'text-embedding-3-small,claude-opus-4-5' });
  const key = `sk-${tokens[0]?.key}`;
  const { user } = await openConsole('/token', { as: owner });
  const dialog = await openDialog(user);
  expect(texts(dialog).join()).toContain(`ANTHROPIC_AUTH_TOKEN='${key.slice(0, 5)}…${key.slice(-4)}'`);
  expect(texts(dialog).join()).toContain("ANTHROPIC_MODEL='claude-opus-4-5'");
  expect(dialog.textContent).not.toContain(key);
  const parts = await copyParts(user, dialog);
  expect(parts.join()).toContain(`ANTHROPIC_AUTH_TOKEN='${key}'`);
  await user.click(within(dialog).getByRole('button', { name: 'Show key' }));
  await expect.poll(() => texts(dialog)).toEqual(parts);
  await user.click(tab(dialog, 'Codex'));
  await expect.poll(() => texts(dialog).at(-1)).toContain(key);
  await user.click(within(dialog).getByRole('button', { name: 'Hide key' }));
  await expect.poll(() => dialog.textContent).not.toContain(key);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('shows snippets on Home with a placeholder for the key and the server address of the gateway', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const network = new Network();
  network.change('GET', '/api/status', (status: object) => ({ ...status, server_address: 'https://gate.example/' }));
  const { user } = await openConsole('/', { as: owner, network });
  await screen.findByRole('heading', { name: 'Connect a client' });
  await user.click(await screen.findByRole('tab', { name: 'aider' }));
  await expect.poll(() => tab(document.body, 'aider').getAttribute('aria-selected')).toBe('true');
  const [text] = await copyParts(user, document.body);
  expect(text).toContain("OPENAI_API_BASE='https://gate.example/v1'");
  expect(text).toContain("OPENAI_API_KEY='sk-your-key'");
  screen.getByText('Replace sk-your-key with the key of a token.');
  expect(document.body.textContent).not.toContain(tokens[0]?.key);
});

it('reveals and selects the full text when the browser denies clipboard access', async () => {
  const { owner, tokens } = await createTokenOwner({ name: 'mine' });
  const { user } = await openConsole('/token', { as: owner });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  Object.assign(document, { execCommand: () => false });
  const dialog = await openDialog(user);
  await user.click(within(dialog).getByRole('button', { name: 'Copy: Terminal' }));
  await screen.findByText('Unable to copy to the clipboard, please copy manually');
  expect(texts(dialog).join()).toContain(`sk-${tokens[0]?.key}`);
  expect([String(window.getSelection())]).toEqual(texts(dialog));
});
