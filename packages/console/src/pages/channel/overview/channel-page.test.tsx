import { channelApi, channelKeyApi, tokenApi } from '@headgate/contract';
import { asRoot, createChannel, reply, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openListOf } from '../../../testing/channel-list.ts';
import { gatewayUrl, nativeFetch } from '../../../testing/gateway.ts';
import { Network } from '../../../testing/network.ts';
import { openConsole, openWithNavigation } from '../../../testing/open-console.tsx';
import { expectAddress, findButton, findRow } from '../../../testing/page.ts';
import { Steps } from '../../../testing/steps.ts';
import { customChannel, startUpstream } from '../../../testing/upstream.ts';

/** Creates a channel whose upstream sends this response, and sends one request. */
async function usedChannel(respond: Parameters<typeof startUpstream>[0]) {
  const url = await gatewayUrl();
  const upstream = await startUpstream(respond);
  const model = uniqueName('model');
  const channel = await createChannel(url, { type: customChannel, base_url: upstream.url, models: model });
  const { key } = await (await asRoot(url)).call(tokenApi.create, { body: { name: model, unlimited_quota: true } });
  await nativeFetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  return { channel, model };
}

it('opens from the list, and shows traffic, failures with full error text, models and keys', async () => {
  const message = `The deployment does not exist. ${'Create it first. '.repeat(10)}`.trim();
  const { channel, model } = await usedChannel(reply({ error: { message } }, 400));
  const { user, network } = await openListOf(channel);
  await user.click(await screen.findByRole('link', { name: channel.name }));
  await expectAddress(`/channel/view/${channel.id}`);
  const failures = within(await screen.findByRole('region', { name: 'Recent failures' }));
  await failures.findByText((text) => text.includes(message));
  const figures = within(screen.getByRole('region', { name: 'Last 24 hours' }));
  figures.getByText('Success rate');
  expect(figures.getAllByText('0%')).not.toEqual([]);
  await figures.findByRole('slider', { name: 'Requests, last 24 hours' });
  const models = within(screen.getByRole('region', { name: 'Models' }));
  within(models.getByRole('row', { name: new RegExp(model) })).getByText('No price');
  await screen.findByText(/^…/);
  expect(failures.getByRole('link', { name: 'just now' }).getAttribute('href')).toMatch(/^\/log\?request_id=/);

  await user.click(await findButton('Disable'));
  await findButton('Enable');
  expect(await (await asRoot(await gatewayUrl())).call(channelApi.get, { params: { id: channel.id } })).toMatchObject({
    status: 2,
  });
  expect(network.sent('GET', `/api/channel/${channel.id}/overview`).length).toBeGreaterThan(0);
});

it('links an alert to the channel, its failure and a new incident with one click each', async () => {
  const { channel, model } = await usedChannel(reply({ error: { message: 'No such deployment' } }, 400));
  const network = new Network();
  const sent = { id: 1, kind: 'failure_rate', receiver_id: 1, receiver_kind: 'slack', receiver_name: 'On-call' };
  const times = { tries: 1, created_time: 1, next_time: 0, sent_time: 1, last_error: '', state: 'sent' };
  const alert = { ...sent, ...times, title: 'Many failures', lines: [], page: `/channel/view/${channel.id}` };
  network.route('GET', '/api/alert/history', () =>
    Response.json({ success: true, message: '', data: [alert], total: 1 }),
  );
  const { user } = await openConsole('/alerts', { as: rootAccount, network });
  const steps = new Steps(user);
  await steps.click(await screen.findByRole('link', { name: 'Open channel' }));
  const failures = within(await screen.findByRole('region', { name: 'Recent failures' }));
  await failures.findByText(/No such deployment/);
  await steps.click(await failures.findByRole('link', { name: 'Post an incident' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Post incident' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Title/).value).toBe(`Elevated error rate for ${model}`);
  dialog.getByText(model);
  steps.expectAtMost(2);
});

it('adds two keys to a channel in at most three steps, starting on any page', async () => {
  const url = await gatewayUrl();
  const channel = await createChannel(url);
  const { user } = await openWithNavigation('/about', { as: rootAccount });
  await findButton(/^Go to/);
  const steps = new Steps(user);
  await steps.press('{Control>}k{/Control}');
  await steps.type(await screen.findByRole('combobox', { name: 'Search or run a command' }), channel.name);
  await steps.click(await screen.findByRole('option', { name: `Add keys to ${channel.name}` }));
  await steps.type(await screen.findByRole('textbox', { name: 'New keys' }), 'sk-second-key-1\nsk-third-key-2');
  await steps.click(await findButton('Add 2 keys'));
  steps.expectAtMost(3);
  const keys = async () => (await asRoot(url)).call(channelKeyApi.list, { params: { id: channel.id } });
  await expect.poll(async () => (await keys()).length).toBe(3);
});

it('shows the success rate and traffic of the last 24 hours in the list', async () => {
  const channel = await createChannel(await gatewayUrl());
  const network = new Network();
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  // The gateway caches traffic for 30 seconds.
  const data = [{ id: channel.id, requests: 276, failures: 23, hours }];
  network.route('GET', '/api/channel/traffic', () => Response.json({ success: true, message: '', data }));
  await openConsole(`/channel?keyword=${channel.name}`, { as: rootAccount, network });
  const row = within(await findRow(channel.name));
  await row.findByText('91.7%');
  row.getByRole('img', { name: 'Last 24 hours · 276 requests · 23 failed' });
  expect(network.sent('GET', '/api/channel/traffic')[0]?.query).toEqual({ ids: String(channel.id) });
});
