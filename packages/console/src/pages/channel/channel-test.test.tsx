import { channelApi, channelStatus } from '@headgate/contract';
import {
  asRoot,
  createChannel,
  removeAllChannels,
  rootAccount,
  setOption,
  type UpstreamHandler,
} from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { detailsSwitch, openListOf, priorityOf } from '../../testing/channel-list.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectRowText, messages } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectInRow, findButton, findRow, rows } from '../../testing/page.ts';
import { customChannel, invalidKeyResponse, okResponse, startUpstream } from '../../testing/upstream.ts';

const testChannel = async (user: UserEvent, name: string) => user.click(await findButton(`Test: ${name}`));

it('[S2.96 S7.44 S8.33 S9.28 S9.29 S3.36] reports channel, model and duration of a test', async () => {
  const url = await gatewayUrl();
  await removeAllChannels(url);
  const upstream = await startUpstream(okResponse);
  const at = { type: customChannel, base_url: upstream.url };
  const channel = await createChannel(url, { ...at, models: 'gpt-4o,gpt-3.5-turbo' });
  const other = await createChannel(url, at);
  const { user, network } = await openConsole('/channel', { as: rootAccount });
  for (const [{ name, id }, model] of [
    [channel, 'gpt-3.5-turbo'],
    [other, 'gpt-4o'],
  ] as const) {
    await testChannel(user, name);
    await screen.findByText(new RegExp(`^Channel ${name} test passed: ${model} responded in \\d+\\.\\d{2,} s$`));
    expect(network.sent('GET', `/api/channel/test/${id}`).map(({ query }) => query['model'])).toEqual([model]);
    await within(await findRow(name)).findByText(/^\d\.\d{2,} s$/);
  }
  await user.click(await detailsSwitch());
  const findTestModel = () => screen.findByRole('combobox', { name: `Test model of ${channel.name}` });
  await user.selectOptions(await findTestModel(), 'gpt-4o');
  await expect.poll(findTestModel).toHaveProperty('value', 'gpt-4o');
  await testChannel(user, channel.name);
  await screen.findByText(new RegExp(`^Channel ${channel.name} test passed: gpt-4o`));
  expect(upstream.received.map(({ body }) => body['model'])).toEqual(['gpt-3.5-turbo', 'gpt-4o', 'gpt-4o']);
});

it('[S7.44 S8.33] reads the tested model from modelName in the response', async () => {
  const channel = await createChannel(await gatewayUrl());
  const { user, network } = await openListOf(channel);
  network.route('GET', `/api/channel/test/${channel.id}`, () =>
    Response.json({ success: true, message: '', time: 1.234, modelName: 'other-model' }),
  );
  await testChannel(user, channel.name);
  await screen.findByText(`Channel ${channel.name} test passed: other-model responded in 1.23 s`);
});

it('shows that a test is running, and reports a failed one with the reason', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow: UpstreamHandler = async (response, request) => {
    await released;
    await invalidKeyResponse(response, request);
  };
  const upstream = await startUpstream(slow);
  const channel = await createChannel(await gatewayUrl(), { type: customChannel, base_url: upstream.url });
  const { user } = await openListOf(channel);
  await testChannel(user, channel.name);
  await expectInRow(channel.name, 'Testing');
  expect(await findButton(`Test: ${channel.name}`)).toHaveProperty('disabled', true);
  release();
  await expectRowText(channel.name, /Failing ?401 Incorrect API key provided · just now/);
  await expect.poll(() => messages('error')).toEqual([expect.stringContaining('Incorrect API key provided')]);
  expect(messages('success')).toEqual([]);
  expect(within(await findRow(channel.name)).queryByText('Untested')).toBeNull();
});

it('[S2.101 S2.102 S7.43] tests all channels, or the disabled ones', async () => {
  const url = await gatewayUrl();
  await removeAllChannels(url);
  const upstream = await startUpstream(invalidKeyResponse);
  const { name } = await createChannel(url, { type: customChannel, base_url: upstream.url });
  try {
    await setOption(url, 'AutomaticDisableChannelEnabled', 'true');
    await setOption(url, 'AutomaticEnableChannelEnabled', 'true');
    const { user, network } = await openConsole('/channel', { as: rootAccount });
    const scopes = () => network.sent('GET', '/api/channel/test').map(({ query }) => query['scope']);
    await user.click(await findButton('Test all'));
    await screen.findByText('1 channel tested, 1 failed');
    await expectInRow(name, 'Automatically disabled');
    expect(scopes()).toEqual(['all']);
    upstream.handler = okResponse;
    await user.click(await findButton('More actions for all channels'));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Test disabled channels' }));
    await expectInRow(name, 'Enabled');
    expect(scopes()).toEqual(['all', 'disabled']);
  } finally {
    await setOption(url, 'AutomaticDisableChannelEnabled', 'false');
    await setOption(url, 'AutomaticEnableChannelEnabled', 'false');
  }
});

it('[S2.104] the refresh button reloads the list', async () => {
  const url = await gatewayUrl();
  const channel = await createChannel(url, { priority: 1 });
  const { user } = await openListOf(channel);
  expect((await priorityOf(channel)).value).toBe('1');
  await (await asRoot(url)).call(channelApi.update, { body: { id: channel.id, priority: 42 } });
  await user.click(await findButton('Refresh'));
  await expect.poll(async () => (await priorityOf(channel)).value).toBe('42');
});

it('[S2.103 S7.42 S8.32] deletes the disabled channels after a confirmation, and shows how many', async () => {
  const url = await gatewayUrl();
  await removeAllChannels(url);
  const root = await asRoot(url);
  const kept = await createChannel(url);
  for (const { id } of [await createChannel(url), await createChannel(url)])
    await root.call(channelApi.update, { body: { id, status: channelStatus.disabled } });
  const { user, network } = await openConsole('/channel', { as: rootAccount });
  await screen.findByRole('radio', { name: 'Manually disabled 2' });
  const deleteDisabled = async () => {
    await user.click(await findButton('More actions for all channels'));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete disabled channels' }));
    return within(await screen.findByRole('dialog', { name: /disabled channels/ }));
  };
  await user.click((await deleteDisabled()).getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(rows('row')).toHaveLength(3);
  expect(network.sent('DELETE', '/api/channel/disabled')).toEqual([]);
  await user.click((await deleteDisabled()).getByRole('button', { name: 'Delete disabled channels' }));
  await screen.findByText('All disabled channels deleted, 2 in total');
  expect(network.sent('DELETE', '/api/channel/disabled')).toHaveLength(1);
  await expect.poll(() => rows('row').length).toBe(1);
  await findRow(kept.name);
});
