import { role, tokenApi, userSupportApi } from '@headgate/contract';
import { createChannel, createTestUser, signedInClient, uniqueName } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { typeAndEnter } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton } from '../../testing/page.ts';

it('lets an admin bind tokens to channels and tags', async () => {
  const url = await gatewayUrl();
  const tag = uniqueName('tag');
  const channel = await createChannel(url, { tag });
  const admin = await createTestUser(url, { role: role.admin });
  const client = await signedInClient(url, admin);
  const own = await client.call(tokenApi.create, { body: { name: 'own' } });
  const person = await createTestUser(url);
  const other = await (await signedInClient(url, person)).call(tokenApi.create, { body: { name: 'given' } });
  const stored = async (user: number, token: number) =>
    (await client.call(userSupportApi.tokens, { params: { id: user } })).find(({ id }) => id === token);

  const { user, network } = await openConsole(`/token/edit/${own.id}`, { as: admin });
  const section = await screen.findByRole('region', { name: 'Channels' });
  await expect.poll(() => section.textContent).toContain('All channels of its groups');
  const choose = within(section).getByRole('button', { name: 'Select channels' });
  await expect.poll(() => choose).toHaveProperty('disabled', false);
  await user.click(choose);
  const dialog = within(await screen.findByRole('dialog', { name: /Channels for own/ }));
  const channels = dialog.getByRole('combobox', { name: 'Channels' });
  await user.click(channels);
  fill(channels, channel.name.slice(1));
  fireEvent.click(await screen.findByRole('option', { name: new RegExp(channel.name) }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => section.textContent).toContain(`Restricted to ${channel.name}`);
  expect(await stored(admin.id, own.id)).toMatchObject({ channels: String(channel.id), tags: '' });

  await openConsole(`/user/view/${person.id}`, { network });
  await user.click(await findButton('Select channels for given'));
  const question = within(await screen.findByRole('dialog'));
  typeAndEnter(question.getByRole('combobox', { name: 'Channel tags' }), tag);
  await user.click(question.getByRole('button', { name: 'Save' }));
  await screen.findByText(new RegExp(`Restricted to tag ${tag}`));
  expect(await stored(person.id, other.id)).toMatchObject({ channels: '', tags: tag });
});
