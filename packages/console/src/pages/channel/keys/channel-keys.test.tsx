import { channelKeyApi } from '@headgate/contract';
import { asRoot, createChannel, rootAccount } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { openConsole } from '../../../testing/open-console.tsx';

it('shows the keys in Chinese', async () => {
  const url = await gatewayUrl();
  const { id } = await createChannel(url, { key: 'sk-account-0001' });
  await (await asRoot(url)).call(channelKeyApi.add, { params: { id }, body: { keys: 'sk-account-0002' } });
  await openConsole(`/channel/edit/${id}`, { as: rootAccount, language: 'zh' });
  await screen.findByText('2 / 2 个密钥已启用');
});
