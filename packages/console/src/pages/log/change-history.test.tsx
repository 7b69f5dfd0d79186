import { channelApi, redemptionApi, userApi } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, rootAccount, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { chips, expectRowCount, rowTexts } from '../../testing/log-page.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { expectAddress, findButton, findRow } from '../../testing/page.ts';

const findHistory = () => screen.findByRole('link', { name: 'Change history' });

it('links a channel to its changes, with old and new values, user and IP address, but without keys', async () => {
  const url = await gatewayUrl();
  const { id, name } = await createChannel(url, { key: 'sk-secret' });
  await (await asRoot(url)).call(channelApi.update, { body: { id, priority: 7, key: 'sk-other' } });
  const { user, network } = await openConsole(`/channel/edit/${id}`, { as: rootAccount });
  await user.click(await findHistory());
  await expectAddress(`/log?type=3&channel=${id}`);
  await expectRowCount(2);
  const change = `root changed channel ${name} (#${id}): key; priority 0 → 7`;
  expect(rowTexts()[0]).toContain(change);
  expect(rowTexts()[0]).toContain('from 127.0.0.1');
  expect(document.body.textContent).not.toContain('sk-other');
  await openConsole(`/log?type=3&channel=${id}`, { network, width: phoneWindowWidth });
  expect((await findRow(change, 'listitem')).textContent).toContain('from 127.0.0.1');
});

it('links a user to their changes, and shows audit events in a tab', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  await (await asRoot(url)).call(userApi.update, { body: { id: person.id, group: 'vip' } });
  const { user, network } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount });
  await user.click(await findHistory());
  const change = `root changed the group of ${person.username} from default to vip`;
  await expectRowCount(1, change);
  const reader = (await openConsole('/log', { network })).user;
  await reader.click(await screen.findByRole('radio', { name: 'Audit' }));
  await expectAddress('/log?view=audit');
  await expectRowCount(1, change);
  await reader.click(await screen.findByRole('radio', { name: 'Requests' }));
  await expectAddress('/log');
});

it('links a redemption code to its changes', async () => {
  const root = await asRoot(await gatewayUrl());
  const name = uniqueName('code');
  await root.call(redemptionApi.create, { body: { name, quota: 500_000, count: 2 } });
  const ids = (await root.call(redemptionApi.list, { query: { size: 2 } })).map(({ id }) => id);
  for (const id of ids) await root.call(redemptionApi.update, { query: {}, body: { id, name: `${name}-b` } });
  const { user } = await openConsole(`/redemption/edit/${ids[0]}`, { as: rootAccount });
  await user.click(await findHistory());
  await expectRowCount(1);
  expect(rowTexts()[0]).toContain(`root changed code ${ids[0]}: name ${name} → ${name}-b`);
  await user.click(await findButton(new RegExp(`^Audit events of: Redemption code #${ids[0]}`)));
  await expectAddress('/log');
});

it('links each section of the settings to its changes', async () => {
  const url = await gatewayUrl();
  const [sender, shop] = [`${uniqueName('mail')}@example.com`, `https://${uniqueName('shop')}.example.com`];
  await setOption(url, 'SMTPFrom', sender);
  await setOption(url, 'TopUpLink', shop);
  const { user } = await openConsole('/setting?tab=system', { as: rootAccount });
  const section = (await screen.findByRole('heading', { name: 'SMTP' })).closest('section') as HTMLElement;
  await user.click(within(section).getByRole('link', { name: 'Change history' }));
  await expect.poll(() => rowTexts().join()).toContain(sender);
  await expect.poll(chips).toContain('Audit events of: Settings · SMTP');
  expect(document.body.textContent).not.toContain(shop);
});
