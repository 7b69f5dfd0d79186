import { createChannel, findChannel, reply, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { field, keyField, models, openChannelForm } from '../../testing/channel-form.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton } from '../../testing/page.ts';
import { customChannel, invalidKeyResponse, startUpstream } from '../../testing/upstream.ts';

const offering = (...ids: string[]) => reply({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });

const findDialog = async () => within(await screen.findByRole('dialog', { name: 'Provider models' }));
const expectClosed = () => expect.poll(() => screen.queryByRole('dialog')).toBeNull();

it('fetches the models of the provider, and adds the selected ones to a channel', async () => {
  const url = await gatewayUrl();
  const name = uniqueName('fetch');
  const upstream = await startUpstream(offering('new-chat', 'old-chat', 'new-embed', 'new-chat-mini'));
  const { id } = await createChannel(url, {
    name,
    type: customChannel,
    base_url: upstream.url,
    models: 'old-chat,own',
  });
  const { user } = await openConsole(`/channel/edit/${id}`, { as: rootAccount });
  await user.click(await findButton('Fetch models'));
  const dialog = await findDialog();
  await expect.poll(() => dialog.queryAllByRole('checkbox').length).toBe(5);
  expect(upstream.received).toMatchObject([
    { path: '/v1/models', headers: { authorization: `Bearer key-of-${name}` } },
  ]);
  const present = dialog.getByRole('checkbox', { name: 'old-chat already added' });
  expect(present).toMatchObject({ checked: true, disabled: true });
  const add = dialog.getByRole('button', { name: 'Add selected models' });
  expect(add).toHaveProperty('disabled', true);

  fill(dialog.getByRole('searchbox', { name: 'Search models' }), 'chat');
  await expect.poll(() => dialog.queryByRole('checkbox', { name: 'new-embed' })).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: /^Select all/ }));
  await dialog.findByText('2 new, 2 selected');
  await user.click(dialog.getByRole('checkbox', { name: 'new-chat-mini' }));
  fill(dialog.getByRole('searchbox', { name: 'Search models' }), 'nothing like it');
  await dialog.findByText('No matching models');
  await user.click(add);
  await expectClosed();
  expect(models()).toEqual(['old-chat', 'own', 'new-chat']);
  await user.click(await findButton('Save channel'));
  await screen.findByText('Channel updated');
  expect(await findChannel(url, name)).toMatchObject({ models: 'old-chat,own,new-chat' });
});

it('fetches models with the values of an unsaved form, and shows an error with a retry button', async () => {
  const upstream = await startUpstream(invalidKeyResponse);
  const { user } = await openChannelForm('mine');
  fill(keyField(), 'sk-typed');
  fill(field('Base URL'), `${upstream.url}/`);
  await user.click(await findButton('Fetch models'));
  const dialog = await findDialog();
  expect((await dialog.findByRole('alert')).textContent).toContain('Incorrect API key');
  expect(upstream.received.at(-1)).toMatchObject({ path: '/v1/models', headers: { authorization: 'Bearer sk-typed' } });
  upstream.handler = offering();
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await dialog.findByText('The provider returned no models');
  upstream.handler = offering('a', 'b');
  await user.keyboard('{Escape}');
  await expectClosed();
  expect(models()).toEqual([]);
  await user.click(await findButton('Fetch models'));
  await user.click(await (await findDialog()).findByRole('checkbox', { name: /^Select all/ }));
  await user.click((await findDialog()).getByRole('button', { name: 'Add selected models' }));
  await expect.poll(models).toEqual(['a', 'b']);
});
