import { channelApi } from '@headgate/contract';
import {
  asRoot,
  createChannel,
  removeAllChannels,
  rootAccount,
  setOption,
  type UpstreamAnswer,
} from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openListOf, priorityOf } from '../../testing/channel-list.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectRowText, messages } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectInRow, findButton, findRow } from '../../testing/page.ts';
import { customChannel, fine, invalidKey, startUpstream } from '../../testing/upstream.ts';

const testChannel = async (user: UserEvent, name: string) => user.click(await findButton(`Test: ${name}`));

it('[S7.44] accepts the model as modelName', async () => {
  const channel = await createChannel(await gatewayUrl());
  const { user, network } = await openListOf(channel);
  network.route('GET', `/api/channel/test/${channel.id}`, () =>
    Response.json({ success: true, message: '', time: 1.234, modelName: 'other-model' }),
  );
  await testChannel(user, channel.name);
  await screen.findByText(`Channel ${channel.name} tested: other-model answered in 1.23 s`);
});

it('shows that a test is running, and reports a failed one with the reason', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow: UpstreamAnswer = async (response, request) => {
    await released;
    await invalidKey(response, request);
  };
  const upstream = await startUpstream(slow);
  const channel = await createChannel(await gatewayUrl(), { type: customChannel, base_url: upstream.url });
  const { user } = await openListOf(channel);
  await testChannel(user, channel.name);
  await expectInRow(channel.name, 'Testing');
  expect(await findButton(`Test: ${channel.name}`)).toHaveProperty('disabled', true);
  release();
  await expectRowText(channel.name, /Failed · 401 Incorrect API key provided · just now/);
  await expect.poll(() => messages('error')).toEqual([expect.stringContaining('Incorrect API key provided')]);
  expect(messages('success')).toEqual([]);
  expect(within(await findRow(channel.name)).queryByText('Untested')).toBeNull();
});

it('[S2.101 S2.102 S7.43] tests all channels, or the disabled ones', async () => {
  const url = await gatewayUrl();
  await removeAllChannels(url);
  const upstream = await startUpstream(invalidKey);
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
    upstream.answer = fine;
    await user.click(await findButton('More actions for all channels'));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Test disabled channels' }));
    await expectInRow(name, 'Enabled');
    expect(scopes()).toEqual(['all', 'disabled']);
  } finally {
    await setOption(url, 'AutomaticDisableChannelEnabled', 'false');
    await setOption(url, 'AutomaticEnableChannelEnabled', 'false');
  }
});

it('[S2.104] loads changes on refresh', async () => {
  const url = await gatewayUrl();
  const channel = await createChannel(url, { priority: 1 });
  const { user } = await openListOf(channel);
  expect((await priorityOf(channel)).value).toBe('1');
  await (await asRoot(url)).call(channelApi.update, { body: { id: channel.id, priority: 42 } });
  await user.click(await findButton('Refresh'));
  await expect.poll(async () => (await priorityOf(channel)).value).toBe('42');
});
