import { channelKeyApi, channelStatus } from '@headgate/contract';
import { asRoot, completion, createChannel, rootAccount, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { typeAndEnter } from '../../../testing/list-page.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectMessage, fill, findButton } from '../../../testing/page.ts';
import { customChannel, invalidKeyResponse, startUpstream } from '../../../testing/upstream.ts';

it('adds, tests, disables and removes keys of a channel, and sets their weights', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const upstream = await startUpstream((response, request) => {
    const isInvalid = request.headers['authorization']?.endsWith('-0003');
    return (isInvalid ? invalidKeyResponse : completion())(response, request);
  });
  const { id } = await createChannel(url, { type: customChannel, base_url: upstream.url, key: 'sk-account-0001' });
  await setOption(url, 'AutomaticDisableChannelEnabled', 'true');
  try {
    const { user, network } = await openConsole(`/channel/edit/${id}`, { as: rootAccount });
    const keys = within(await screen.findByRole('region', { name: 'Keys' }));
    await keys.findByText('…0001');
    fill(keys.getByLabelText('New keys'), 'sk-account-0002\nsk-account-0003\n\nsk-account-0001');
    await user.click(await keys.findByRole('button', { name: 'Add 3 keys' }));
    await expectMessage('2 keys added');
    await expectMessage('1 key skipped (already added)');
    await keys.findByText('3 of 3 keys enabled');
    expect(keys.getByLabelText('New keys')).toHaveProperty('value', '');

    await user.click(keys.getByRole('button', { name: 'Test all keys' }));
    await keys.findByText('2 of 3 keys enabled');
    await keys.findByText('Automatically disabled');
    await keys.findByText(/401 Incorrect API key provided/);
    await expect.poll(() => keys.queryAllByText(/Test passed: .* responded in/)).toHaveLength(2);

    typeAndEnter(keys.getByLabelText('Weight of key …0002'), '5');
    typeAndEnter(keys.getByLabelText('Cost of key …0002 (% of channel cost)'), '60');
    await user.selectOptions(keys.getByLabelText('Key selection'), 'least_used');
    await user.click(keys.getByRole('button', { name: 'Disable key …0001' }));
    await keys.findByText('1 of 3 keys enabled');
    await keys.findByRole('button', { name: 'Enable key …0001' });

    await user.click(keys.getByRole('button', { name: 'Remove disabled keys (1)' }));
    await user.click(await findButton('Remove keys'));
    await expectMessage('1 key removed');
    await user.click(keys.getByRole('button', { name: 'Remove key …0001' }));
    await user.click(await findButton('Remove key'));
    await keys.findByText('1 of 1 key enabled');
    expect(keys.queryByRole('button', { name: 'Remove key …0002' })).toBeNull();
    expect(await root.call(channelKeyApi.list, { params: { id } })).toMatchObject([
      { hint: '0002', weight: 5, cost_percent: 60, status: channelStatus.enabled },
    ]);
    await openConsole(`/channel/edit/${id}`, { network });
    const order = await screen.findByLabelText('Key selection');
    await expect.poll(() => order).toHaveProperty('value', 'least_used');
  } finally {
    await setOption(url, 'AutomaticDisableChannelEnabled', 'false');
  }
});

it('shows the keys in Chinese', async () => {
  const url = await gatewayUrl();
  const { id } = await createChannel(url, { key: 'sk-account-0001' });
  await (await asRoot(url)).call(channelKeyApi.add, { params: { id }, body: { keys: 'sk-account-0002' } });
  await openConsole(`/channel/edit/${id}`, { as: rootAccount, language: 'zh' });
  await screen.findByText('2 / 2 个密钥已启用');
});
