import { channelApi, tokenApi } from '@headgate/contract';
import {
  asRoot,
  createTestUser,
  type StubUpstream,
  signedInClient,
  type UpstreamHandler,
  uniqueName,
} from '@headgate/testkit';
import { fireEvent, screen } from '@testing-library/react';
import { expect } from 'vitest';
import { gatewayUrl } from './gateway.ts';
import { type OpenOptions, openConsole } from './open-console.tsx';
import { fill } from './page.ts';
import { customChannel } from './upstream.ts';

/** An event of a streamed response. */
export const streamEvent = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
export const deltaEvent = (fields: object) => streamEvent({ id: 'x', choices: [{ index: 0, delta: fields }] });

/** Responds with this text, 12 tokens in and 34 out. */
export const respondWith =
  (text: string): UpstreamHandler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(deltaEvent({ content: text }));
    response.write(streamEvent({ id: 'x', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } }));
    response.end('data: [DONE]\n\n');
  };

/** Starts a response that never ends; `onLeft` is called when the client disconnects. */
export const endlessResponse =
  (onLeft = () => {}): UpstreamHandler =>
  async (response, { left }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(deltaEvent({ content: 'Once upon a time' }));
    await left;
    onLeft();
  };

export const rejectRequest: UpstreamHandler = (response) => {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: 'this cannot be asked', type: 'invalid_request_error' } }));
};

/** On a phone the settings are collapsed into a summary. */
const chosenModels = () => {
  const settings = screen.queryByRole('complementary', { name: 'Settings' });
  const fields = [...(settings?.querySelectorAll('input') ?? [])];
  return [settings?.textContent, ...fields.map(({ value }) => value)].join(' ');
};

/** Opens the playground for a user with a token for two models of this upstream. */
export async function openPlayground(upstream: StubUpstream, open: Pick<OpenOptions, 'width' | 'navigation'> = {}) {
  const url = await gatewayUrl();
  const group = uniqueName('group');
  const channel = { name: group, type: customChannel, key: 'k', base_url: upstream.url, group };
  await (await asRoot(url)).call(channelApi.create, { body: { ...channel, models: 'gpt-4o,gpt-4o-mini' } });
  const person = await createTestUser(url, { group, quota: 100_000_000 });
  const client = await signedInClient(url, person);
  const { key } = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const opened = await openConsole('/playground', { ...open, as: person });
  // A prompt can only be sent once a model is selected.
  await expect.poll(chosenModels).toContain('gpt-4o');
  return { ...opened, client, key };
}

/** Fills in these settings and sends a prompt. */
export function sendQuestion(question: string, settings: Readonly<Record<string, string>> = {}): void {
  for (const [label, text] of Object.entries(settings)) fill(screen.getByLabelText(label), text);
  const field = screen.getByLabelText('Message');
  fill(field, question);
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
}
