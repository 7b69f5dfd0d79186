import { channelApi, optionApi, priceApi, role } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { fill, findButton, findRow } from '../../testing/page.ts';

/** Creates a channel with an unpriced model, for a new group. */
async function offerModel() {
  const [model, group] = [uniqueName('brand-new'), uniqueName('group')];
  const channel = await createChannel(await gatewayUrl(), { name: model, models: `${model},gpt-5`, group });
  return { model, group, channel };
}

it('filters the models without a price, and sets a price in dollars', async () => {
  const url = await gatewayUrl();
  const { model } = await offerModel();
  const { user } = await openWithNavigation('/', { as: await createTestUser(url, { role: role.admin }) });
  await user.click(await screen.findByRole('link', { name: 'Models' }));
  await user.click(await screen.findByRole('link', { name: 'Prices' }));
  const status = within(await screen.findByRole('radiogroup', { name: 'Status' }));
  await user.click(await status.findByText(/^No price/));
  const row = await findRow(model);
  await user.click(within(row).getByRole('button', { name: /^Edit price/ }));
  const dialog = within(await screen.findByRole('dialog', { name: model }));
  fill(dialog.getByLabelText('Input'), '2');
  fill(dialog.getByLabelText('Output'), '8');
  await dialog.findByText('× 4');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Prices saved');
  await expect.poll(() => screen.queryAllByText(model)).toEqual([]);
  const saved = (await (await asRoot(url)).call(priceApi.list)).find((price) => price.model === model);
  expect(saved).toMatchObject({ source: 'yours', price: { input: 2, output: 8 }, model_ratio: 1 });
  await user.click(status.getByText(/^Custom/));
  await user.click(within(await findRow(model)).getByRole('button', { name: /^Edit price/ }));
  await screen.findByText(new RegExp(`Changed by ${saved?.changed?.by}, 20`));
});

it('previews pasted prices before saving', async () => {
  const url = await gatewayUrl();
  const { model } = await offerModel();
  const { user } = await openConsole('/prices', { as: await createTestUser(url, { role: role.admin }) });
  await user.click(await findButton('Import'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import prices' }));
  fill(dialog.getByRole('textbox'), `${model},3,15\nnonsense`);
  await dialog.findByText('1 line without a price');
  await expect
    .poll(() => dialog.queryAllByRole('row').find(({ textContent }) => textContent?.includes(model))?.textContent)
    .toContain('No price');
  await user.click(dialog.getByRole('button', { name: 'Save 1 price' }));
  await screen.findByText('Prices saved');
  const saved = (await (await asRoot(url)).call(priceApi.list)).find((price) => price.model === model);
  expect(saved?.price).toMatchObject({ input: 3, output: 15 });
});

it('compares prices with a file, and saves the selected ones', async () => {
  const url = await gatewayUrl();
  const { model } = await offerModel();
  const { user } = await openConsole('/prices', { as: await createTestUser(url, { role: role.admin }) });
  await user.click(await findButton('Update prices'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Update from a price list' }));
  const list = { host: { id: 'host', models: { [model]: { cost: { input: 3, output: 12 } } } } };
  const file = new File([JSON.stringify(list)], 'list.json', { type: 'application/json' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no file input');
  await user.upload(input, file);
  expect(((await dialog.findByRole('checkbox', { name: new RegExp(model) })) as HTMLInputElement).checked).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Save 1 price' }));
  await screen.findByText('Prices saved');
  const saved = (await (await asRoot(url)).call(priceApi.list)).find((price) => price.model === model);
  expect(saved?.price).toMatchObject({ input: 3, output: 12 });
});

it("lists a channel's unpriced models in its form", async () => {
  const url = await gatewayUrl();
  const { model, channel } = await offerModel();
  await openConsole(`/channel/edit/${channel.id}`, { as: await createTestUser(url, { role: role.admin }) });
  await screen.findByText(new RegExp(`No price: ${model}`));
  await (await asRoot(url)).call(channelApi.remove, { params: { id: channel.id } });
});

it('sets prices for a service tier and off-peak hours', async () => {
  const url = await gatewayUrl();
  const { model } = await offerModel();
  const root = await asRoot(url);
  await root.call(priceApi.save, { body: { changes: [{ model, price: { input: 2, output: 8 } }] } });
  const { user } = await openConsole(`/prices?keyword=${model}`, {
    as: await createTestUser(url, { role: role.admin }),
  });
  await user.click(within(await findRow(model)).getByRole('button', { name: /^Edit price/ }));
  const dialog = within(await screen.findByRole('dialog', { name: model }));
  fill(dialog.getByLabelText('Priority tier input'), '5');
  await user.click(dialog.getByRole('button', { name: 'Add hours' }));
  fill(dialog.getByLabelText('End'), '06:30');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Prices saved');
  const saved = (await root.call(priceApi.list)).find((price) => price.model === model);
  expect(saved?.price).toMatchObject({ input: 2, flex: 0, priority: 5 });
  const options = await root.call(optionApi.list, { query: { ratios: 'saved' } });
  const { value } = options.find(({ key }) => key === 'PriceHours') ?? { value: '' };
  expect(JSON.parse(value)[model]).toEqual([{ from: '00:00', to: '06:30', days: [], zone: 'UTC', multiplier: 0.5 }]);
  await setOption(url, 'PriceHours', '');
});
