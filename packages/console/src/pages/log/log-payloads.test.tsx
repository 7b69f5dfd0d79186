import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { logApi, payloadApi, tokenApi } from '@headgate/contract';
import {
  type Account,
  ageSessions,
  completion,
  createChannel,
  createTestUser,
  reply,
  rootAccount,
  StubUpstream,
  setOption,
  signedInClient,
  uniqueName,
} from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayUrl, nativeFetch, workerGateway } from '../../testing/gateway.ts';
import { openReceipt } from '../../testing/log-page.ts';
import type { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAlert, fill, findButton } from '../../testing/page.ts';

/** Allows payload logging until the test ends. */
async function allowKeeping(by: 'owners' | 'admins'): Promise<void> {
  const url = await gatewayUrl();
  await setOption(url, 'KeepBodies', by);
  onTestFinished(() => setOption(url, 'KeepBodies', 'off'));
}

/** Creates a user with a token, and a channel that responds. `send` returns the request id. */
async function createSender() {
  const url = await gatewayUrl();
  const upstream = await StubUpstream.start(completion());
  onTestFinished(() => upstream.close());
  const group = uniqueName('g');
  const person = await createTestUser(url, { quota: 1_000_000, group });
  await createChannel(url, { base_url: upstream.url, type: 8, models: 'gpt-4o,tts-1', group });
  const client = await signedInClient(url, person);
  const token = await client.call(tokenApi.create, { body: { name: 'agent', unlimited_quota: true } });
  const send = async (content: string, body?: object, path = '/v1/chat/completions') => {
    const response = await nativeFetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? { model: 'gpt-4o', messages: [{ role: 'user', content }] }),
    });
    expect(response.status).toBe(200);
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  };
  return { person, client, token, upstream, send };
}

/** Opens the payloads of a request from its receipt. */
async function openBodies(requestId: string, options: { readonly as?: Account; readonly network?: Network }) {
  const console = await openConsole(`/log?request_id=${requestId}`, options);
  const receipt = await openReceipt(console.user);
  await console.user.click(await within(receipt).findByRole('button', { name: 'Show' }));
  return console;
}

const findDialog = (name: string | RegExp) => screen.findByRole('dialog', { name });
const marks = () => screen.queryAllByRole('img', { name: 'Payloads logged' });

it('stores the payloads of a token, and lets its owner read and delete them after a proof of identity', async () => {
  await allowKeeping('owners');
  const { person, client, token, send } = await createSender();
  const { user, network } = await openConsole(`/token/edit/${token.id}`, { as: person });
  await user.click(await findButton('Log payloads…'));
  const dialog = await findDialog(/^Log payloads of/);
  const hours = within(dialog).getByLabelText('Retention (hours)');
  fill(hours, '800');
  await user.click(within(dialog).getByRole('button', { name: 'Start logging' }));
  await within(dialog).findByText('A whole number from 1 to 720');
  fill(hours, '48');
  await user.click(within(dialog).getByRole('button', { name: 'Start logging' }));
  await screen.findByText('Stored for 48 h, up to 64 KiB each');
  await openConsole('/token', { network });
  await expect.poll(() => marks().length).toBe(1);

  const requestId = await send('Where is the <b>harbour</b>?');
  ageSessions(await workerGateway());
  const reader = (await openBodies(requestId, { network })).user;
  const proof = await findDialog('Confirm your identity');
  expect(proof.textContent).toContain('Stored payloads are confidential');
  fill(within(proof).getByLabelText('Password'), person.password);
  await reader.click(within(proof).getByRole('button', { name: 'Continue' }));
  const bodies = await findDialog('Payload');
  const request = within(bodies).getByRole('group', { name: 'Request' });
  expect(request.textContent).toContain('"content": "Where is the <b>harbour</b>?"');
  expect(within(bodies).getByRole('group', { name: 'Response, status 200' }).textContent).toContain('Hello');
  await reader.click(within(bodies).getByRole('button', { name: 'Delete now' }));
  await reader.click(within(await findDialog(/^Delete the stored payload/)).getByRole('button', { name: 'Delete' }));
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Payload' })).toBeNull();
  await openBodies(requestId, { network });
  await expectAlert('is not stored or has been deleted');

  await send('Another one');
  const owner = (await openConsole('/setting', { network })).user;
  await screen.findByText('Payloads are logged for 1 of your tokens, marked in the list.');
  await owner.click(await findButton('Delete stored payloads (1)'));
  await owner.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await findButton('Delete stored payloads (0)')).toHaveProperty('disabled', true);
  expect(await client.call(payloadApi.own)).toMatchObject({ kept: 0 });

  const editor = (await openConsole(`/token/edit/${token.id}`, { network })).user;
  await editor.click(await findButton('Stop logging'));
  await editor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop logging' }));
  await screen.findByText('Not logged');
});

/** Makes one payload unreadable, as if encrypted with another key, and expires another. */
async function changeStored(unreadable: string, expired: string): Promise<void> {
  const { folder } = await workerGateway();
  const database = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 30_000 });
  database.prepare('update kept_bodies set status = 418 where request_id = ?').run(unreadable);
  database
    .prepare(`update logs set detail = json_set(detail, '$.bodies_until', 1700000000) where request_id = ?`)
    .run(expired);
  database.close();
}

it('states that a payload is truncated, not text, unreadable or expired', async () => {
  await allowKeeping('owners');
  const { person, client, token, upstream, send } = await createSender();
  await client.call(payloadApi.keepOwn, { body: { token_id: token.id, hours: 1, kilobytes: 1 } });
  const long = await send('Tell me everything. '.repeat(100));
  const audio = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 37) % 256));
  upstream.handler = reply(audio, 200, 'audio/mpeg');
  const sound = await send('', { model: 'tts-1', input: 'Hello', voice: 'alloy' }, '/v1/audio/speech');
  upstream.handler = completion();
  const [unreadable, expired] = [await send('Sealed elsewhere'), await send('Long ago')];
  await expect.poll(async () => (await client.call(payloadApi.own)).kept).toBe(4);
  await changeStored(unreadable, expired);
  const { network } = await openBodies(long, { as: person });
  await screen.findByText(/^Truncated: first 1,024 of 2,\d{3} bytes stored$/);
  await openBodies(sound, { network });
  const response = await screen.findByRole('region', { name: 'Response, status 200' });
  expect(response.textContent).toContain('300 bytes · not text');
  await openBodies(unreadable, { network });
  await expectAlert('encrypted with another key');
  expect(screen.queryByRole('dialog', { name: 'Payload' })).toBeNull();
  const { user } = await openConsole(`/log?request_id=${expired}`, { network });
  const receipt = await openReceipt(user);
  expect(receipt.textContent).toContain('Stored until 2023-11-14');
  expect(within(receipt).queryByRole('button', { name: 'Show' })).toBeNull();
});

it('stores the payloads of a user for an admin, and informs the user', async () => {
  await allowKeeping('admins');
  const { person, client, token, send } = await createSender();
  const { user, network } = await openConsole(`/user/view/${person.id}`, { as: rootAccount });
  const all = await screen.findByRole('group', { name: `All tokens of ${person.username}` });
  await user.click(within(all).getByRole('button', { name: 'Log payloads…' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Start logging' }));
  await expect.poll(() => all.textContent).toContain('Stored for 24 h, up to 64 KiB each · set by an admin');
  const requestId = await send('Do they listen?');
  await openBodies(requestId, { network });
  expect((await screen.findByRole('group', { name: 'Request' })).textContent).toContain('Do they listen?');
  const logs = await client.call(logApi.listOwn, { query: {} });
  expect(logs.map(({ content }) => content)).toContain(
    `${rootAccount.username} viewed the payload of request ${requestId}`,
  );
  await openConsole('/token', { as: person });
  await expect.poll(() => marks().length).toBeGreaterThan(0);
  await openConsole(`/token/edit/${token.id}`, { as: person });
  await screen.findByText('Payloads are logged for all your tokens.');
  expect(screen.queryByRole('button', { name: 'Stop logging' })).toBeNull();
});
