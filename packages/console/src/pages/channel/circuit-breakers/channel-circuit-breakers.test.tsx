import { circuitBreakerApi, tokenApi } from '@headgate/contract';
import { asRoot, completion, createChannel, reply, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openListOf } from '../../../testing/channel-list.ts';
import { gatewayUrl, nativeFetch } from '../../../testing/gateway.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectMessage } from '../../../testing/page.ts';
import { customChannel, startUpstream } from '../../../testing/upstream.ts';

const modelNotFound = reply({ error: { message: 'The model does not exist', code: 'model_not_found' } }, 404);

it('shows why a model is paused, tests it, and resumes it', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const upstream = await startUpstream(modelNotFound);
  const model = uniqueName('lost');
  const channel = await createChannel(url, { type: customChannel, base_url: upstream.url, models: model });
  const { key } = await root.call(tokenApi.create, { body: { name: model, unlimited_quota: true } });
  const paused = () => root.call(circuitBreakerApi.list, { params: { id: channel.id } });
  try {
    await setOption(url, 'AutomaticDisableChannelEnabled', 'true');
    await setOption(url, 'ModelGoneRule', '1 of 1');
    await nativeFetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    });
    await expect.poll(async () => (await paused()).length).toBe(1);
    const { user, network } = await openListOf(channel);
    await screen.findByText(/1 model paused/);
    await openConsole(`/channel/edit/${channel.id}`, { network });
    const pauses = within(await screen.findByRole('region', { name: 'Paused models' }));
    await pauses.findByText(model);
    pauses.getByText('404 The model does not exist');
    pauses.getByText(/^Next test /);
    await user.click(pauses.getByRole('button', { name: `Test now: ${model}` }));
    await expectMessage('Test failed: The model does not exist');
    await pauses.findByText(/1 test failed/);
    upstream.handler = completion();
    await user.click(pauses.getByRole('button', { name: `Resume ${model}` }));
    await expectMessage('Resumed');
    await expect.poll(() => screen.queryByRole('region', { name: 'Paused models' })).toBeNull();
    expect(await paused()).toEqual([]);
  } finally {
    await setOption(url, 'ModelGoneRule', '3 of 5');
    await setOption(url, 'AutomaticDisableChannelEnabled', 'false');
  }
});
