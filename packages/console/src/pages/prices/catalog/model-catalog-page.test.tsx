import { channelApi } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, rootAccount, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { openConsole, phoneWindowWidth } from '../../../testing/open-console.tsx';
import { expectAddress, fill, findRow } from '../../../testing/page.ts';

/** Creates a channel with two models for a new group; one model has no metadata. */
async function offerModels() {
  const [model, group] = [uniqueName('house-model'), uniqueName('group')];
  const channel = await createChannel(await gatewayUrl(), {
    name: uniqueName('hidden'),
    models: `${model},gpt-4o`,
    group,
  });
  return { model, group, channel };
}

it('shows users their models with metadata and price, but no channels', async () => {
  const { model, group, channel } = await offerModels();
  const { user } = await openConsole('/prices', { as: await createTestUser(await gatewayUrl(), { group }) });
  await expectAddress('/catalog');
  const known = within(await findRow('gpt-4o'));
  known.getByTitle('Vision, Tools, Streaming');
  for (const text of ['128K', 'Available']) known.getByText(text);
  expect((await findRow(model)).textContent).toMatch(/—.*—/);
  await user.click(await screen.findByRole('link', { name: 'gpt-4o' }));
  await expectAddress('/catalog?open=gpt-4o');
  const details = within(await screen.findByRole('dialog'));
  await details.findByText('128,000 tokens');
  await details.findByText(/"model": ?"gpt-4o"/);
  expect(document.body.textContent).not.toContain(channel.name);
  expect(details.queryByRole('button', { name: 'Add to channels' })).toBeNull();
  await user.click(details.getByRole('link', { name: 'Try' }));
  await expectAddress('/playground?model=gpt-4o');
});

it('shows admins the channels of a model, and adds models to channels', async () => {
  const url = await gatewayUrl();
  const { model, channel } = await offerModels();
  const other = await createChannel(url, { name: uniqueName('other'), models: 'gpt-4o' });
  const { user } = await openConsole(`/catalog?open=${model}`, { as: rootAccount });
  const details = within(await screen.findByRole('dialog'));
  await details.findByRole('link', { name: channel.name });
  details.getByText('Healthy');
  await user.click(details.getByRole('button', { name: 'Add to channels' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Add ${model} to channels` }));
  const field = dialog.getByRole('combobox', { name: 'Channels' });
  fill(field, other.name);
  await user.click(await screen.findByRole('option', { name: other.name }));
  await user.click(await dialog.findByRole('button', { name: 'Change 1 channel' }));
  await dialog.findByText('1 changed');
  const changed = await (await asRoot(url)).call(channelApi.get, { params: { id: other.id } });
  expect(changed.models).toBe(`gpt-4o,${model}`);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await details.findByRole('link', { name: other.name });
});

it('filters by the capability and the provider in the URL', async () => {
  await offerModels();
  await openConsole('/catalog?provider=Anthropic+Claude&capability=reasoning&keyword=sonnet-4', {
    as: rootAccount,
  });
  await findRow('claude-sonnet-4-5');
  expect(screen.queryByText('gpt-4o')).toBeNull();
  expect(screen.getByRole('combobox', { name: 'Provider' })).toHaveProperty('value', 'Anthropic Claude');
  expect(screen.getByRole('combobox', { name: 'Capability' })).toHaveProperty('value', 'Reasoning');
});

it('shows visitors the public catalog on a phone, or asks them to log in', async () => {
  const url = await gatewayUrl();
  const { model, group, channel } = await offerModels();
  await openConsole('/catalog');
  await screen.findByText('Log in to see the models of this gateway.');
  await setOption(url, 'ModelCatalogGroup', group);
  await setOption(url, 'ModelCatalogEnabled', 'true');
  onTestFinished(() => setOption(url, 'ModelCatalogEnabled', 'false'));
  await openConsole('/catalog', { width: phoneWindowWidth });
  const card = await findRow(model, 'listitem');
  within(card).getByText('No price');
  expect(document.body.textContent).not.toContain(channel.name);
  expect(screen.queryByRole('link', { name: 'Try' })).toBeNull();
});
