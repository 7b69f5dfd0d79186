import { channelStatus } from '@headgate/contract';
import { createChannel, findChannel } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { detailsSwitch, openListOf, priorityOf, weightOf } from '../../testing/channel-list.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectNoRow, typeAndEnter } from '../../testing/list-page.ts';
import { chooseAction, expectInRow, fill } from '../../testing/page.ts';

it('[S2.98 S4.15 S4.16 S7.40 S8.12] disables and enables a channel', async () => {
  const url = await gatewayUrl();
  const channel = await createChannel(url);
  const { user, network } = await openListOf(channel);
  for (const [action, status, label] of [
    ['Disable', channelStatus.disabled, 'Manually disabled'],
    ['Enable', channelStatus.enabled, 'Enabled'],
  ] as const) {
    await chooseAction(user, channel.name, action);
    await screen.findByText('Operation completed successfully');
    await expectInRow(channel.name, label);
    expect(network.sent('PUT', '/api/channel/').at(-1)?.body).toEqual({ id: channel.id, status });
    expect((await findChannel(url, channel.name)).status).toBe(status);
  }
});

it('restores the priority when the server rejects the change, and shows the reason', async () => {
  const channel = await createChannel(await gatewayUrl(), { priority: 3 });
  const { network } = await openListOf(channel);
  network.fail('PUT', '/api/channel/', 200, 'not today');
  typeAndEnter(await priorityOf(channel), '9');
  await screen.findByText(/not today/);
  await expect.poll(async () => (await priorityOf(channel)).value).toBe('3');
});

it('[S2.97 S7.41] deletes a channel after a confirmation that names it', async () => {
  const url = await gatewayUrl();
  const channel = await createChannel(url);
  const { user, network } = await openListOf(channel);
  const path = `/api/channel/${channel.id}/`;
  for (const response of ['Cancel', 'Delete channel']) {
    await chooseAction(user, channel.name, 'Delete');
    const question = await screen.findByRole('dialog', { name: `Delete channel ${channel.name}?` });
    expect(network.sent('DELETE', path)).toEqual([]);
    await user.click(within(question).getByRole('button', { name: response }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  }
  await expectNoRow(channel.name);
  expect(network.sent('DELETE', path)).toHaveLength(1);
  await expect(findChannel(url, channel.name)).rejects.toThrow();
});

it('[S2.106 S2.107 S5.46 S5.47 S5.48 S7.40] changes priority and weight in the row', async () => {
  const url = await gatewayUrl();
  const channel = await createChannel(url);
  const { user, network } = await openListOf(channel);
  await user.click(await detailsSwitch());
  await weightOf(channel);
  const changes = () => network.sent('PUT', '/api/channel/').map(({ body }) => body);
  const { id } = channel;
  typeAndEnter(await priorityOf(channel), '-5');
  await expect.poll(changes).toEqual([{ id, priority: -5 }]);
  typeAndEnter(await weightOf(channel), '4');
  await expect.poll(changes).toEqual([
    { id, priority: -5 },
    { id, weight: 4 },
  ]);
  // An empty or unchanged field is not sent. Neither stored value is 0, so an empty field sent as 0 would be detected.
  for (const field of [priorityOf, weightOf]) {
    const before = (await field(channel)).value;
    for (const text of ['', before]) {
      fill(await field(channel), text);
      fireEvent.blur(await field(channel));
      await expect.poll(async () => (await field(channel)).value).toBe(before);
    }
  }
  expect(changes()).toHaveLength(2);
  typeAndEnter(await weightOf(channel), '-4');
  await expect.poll(() => changes().at(-1)).toEqual({ id, weight: 0 });
  await expect.poll(async () => (await weightOf(channel)).value).toBe('0');
  expect(changes()).toHaveLength(3);
  await expect.poll(() => findChannel(url, channel.name)).toMatchObject({ priority: -5, weight: 0 });
});
