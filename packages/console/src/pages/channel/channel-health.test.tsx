import { channelApi, tokenApi } from '@headgate/contract';
import {
  asRoot,
  createChannel,
  createTestUser,
  removeAllChannels,
  rootAccount,
  signedInClient,
  type UpstreamHandler,
  uniqueName,
} from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { gatewayUrl, nativeFetch } from '../../testing/gateway.ts';
import { expectNoRow, expectRowText } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, findButton, findRow } from '../../testing/page.ts';
import { customChannel, invalidKeyResponse, okResponse, startUpstream } from '../../testing/upstream.ts';

beforeEach(async () => removeAllChannels(await gatewayUrl()));

it('shows in the row why a test failed, and filters failing channels', async () => {
  const url = await gatewayUrl();
  const broken = await createChannel(url, {
    type: customChannel,
    base_url: (await startUpstream(invalidKeyResponse)).url,
  });
  const healthy = await createChannel(url, { type: customChannel, base_url: (await startUpstream(okResponse)).url });
  const root = await asRoot(url);
  for (const { id } of [broken, healthy]) await root.send(channelApi.test, { params: { id }, query: {} });
  const { user } = await openConsole('/channel', { as: rootAccount });
  await expectRowText(broken.name, /Failing ?401 Incorrect API key provided · just now/);
  expect((await findRow(broken.name)).querySelector('[data-color="green"]')).toBeNull();
  expect((await findRow(healthy.name)).textContent).not.toContain('Failed');
  await user.click(await findButton('Failing 1'));
  await expectAddress('/channel?failing=1');
  await expectNoRow(healthy.name);
  await findRow(broken.name);
});

/** Requests a cooldown of one minute. */
const rateLimited: UpstreamHandler = (response) => {
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' });
  response.end(JSON.stringify({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }));
};

it('filters the channels that are cooling down', async () => {
  const url = await gatewayUrl();
  const group = uniqueName('group');
  const upstream = await startUpstream(rateLimited);
  const channel = await createChannel(url, { type: customChannel, base_url: upstream.url, group });
  const active = await createChannel(url);
  const owner = await signedInClient(url, await createTestUser(url, { group, quota: 1_000_000 }));
  const { key } = await owner.call(tokenApi.create, { body: { name: 'ci', unlimited_quota: true } });
  for (let count = 0; count < 3; count += 1)
    await nativeFetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    });
  const { user } = await openConsole('/channel', { as: rootAccount });
  await user.click(await findButton('Cooling down 1'));
  await expectAddress('/channel?cooling_down=1');
  await expectNoRow(active.name);
  await findRow(channel.name);
  await user.click(await findButton('Cooling down 1'));
  await expectAddress('/channel');
  await findRow(active.name);
});

it('groups test results by reason, retests some channels, and disables others', async () => {
  const url = await gatewayUrl();
  const upstreams = [];
  const names: string[] = [];
  for (const respond of [invalidKeyResponse, rateLimited, okResponse]) {
    const upstream = await startUpstream(respond);
    upstreams.push(upstream);
    names.push((await createChannel(url, { type: customChannel, base_url: upstream.url })).name);
  }
  const [invalid = '', limited = '', healthy = ''] = names;
  const { user } = await openConsole('/channel', { as: rootAccount });
  const findPanel = async () => within(await screen.findByRole('region', { name: 'Test results' }));
  await user.click(await findButton('Test all'));
  await (await findPanel()).findByText('3 tested, 2 failed');
  const panel = await findPanel();
  panel.getByText('Key rejected · 1');
  panel.getByText('401 Incorrect API key provided');
  panel.getByText('Rate limited · 1');
  await user.click(panel.getByText('Passed · 1'));
  await panel.findByRole('link', { name: healthy });
  Object.assign(upstreams[1] ?? {}, { handler: okResponse });
  await user.click(panel.getByRole('checkbox', { name: 'Rate limited · 1' }));
  await user.click(panel.getByRole('button', { name: 'Test again (1)' }));
  await (await findPanel()).findByText('1 tested, 0 failed');
  await user.click(await findButton('Test all'));
  await (await findPanel()).findByText('3 tested, 1 failed');
  await user.click((await findPanel()).getByRole('checkbox', { name: `Select result of ${invalid}` }));
  await user.click((await findPanel()).getByRole('button', { name: 'Disable (1)' }));
  await screen.findByText('1 channel disabled');
  const disabled = await (await asRoot(url)).call(channelApi.list, { query: { status: 2 } });
  expect(disabled.map(({ name }) => name)).toEqual([invalid]);
  await user.click(await findButton('Close test results'));
  await expect.poll(() => screen.queryByRole('region', { name: 'Test results' })).toBeNull();
  await expectRowText(limited, /Enabled/);
});
