import { channelKeyApi, channelTypes } from '@headgate/contract';
import { asRoot, createChannel, findChannel, findChannels, rootAccount, uniqueName } from '@headgate/testkit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  addModel,
  chooseType,
  createButton,
  field,
  keyField,
  models,
  modelsField,
  openChannelForm,
} from '../../testing/channel-form.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectMessages, typeAndEnter } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { chooseAction, expectAddress, fill, findButton, findTextbox } from '../../testing/page.ts';

const groups = () => screen.getByRole('combobox', { name: 'Groups' });

/** Selected groups; models have their own pills. */
const groupPills = () =>
  [...document.querySelectorAll('form .mantine-Pill-label')].map(({ textContent }) => textContent);

it('[S2.108 S2.109 S2.110 S3.29 S3.32] the form for a new channel starts as OpenAI in the default group, with all fields', async () => {
  await openChannelForm('mine');
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveProperty('value', 'OpenAI');
  expect(keyField().disabled).toBe(false);
  for (const label of ['Name', 'Base URL', 'Model mapping', 'System prompt'])
    expect(field(label).disabled || field(label).readOnly, label).toBe(false);
  expect(groupPills()).toEqual(['default']);
  expect(models()).toEqual([]);
  for (const name of ['gpt-4o', 'house-model']) {
    addModel(name);
    await expect.poll(models).toContain(name);
  }
  expect(models()).toEqual(['gpt-4o', 'house-model']);
  typeAndEnter(groups(), 'vip');
  await expect.poll(groupPills).toEqual(['default', 'vip']);
});

it('[S2.100 S3.30 S3.31 S3.33 S5.41 S7.38] the form for a new channel is reached from the list, and creates a channel', async () => {
  const name = uniqueName('made');
  const { user, network } = await openConsole('/channel', { as: rootAccount });
  await user.click((await screen.findAllByRole('link', { name: 'Add channel' }))[0] as HTMLElement);
  await expectAddress('/channel/add');
  await screen.findByRole('heading', { level: 1, name: 'Add channel' });
  fill(await findTextbox('Name'), name);
  fill(keyField(), ' sk-secret ');
  typeAndEnter(groups(), 'vip');
  await expect.poll(groupPills).toContain('vip');
  for (const model of ['gpt-4o', 'house-model']) {
    addModel(model);
    await expect.poll(models).toContain(model);
  }
  fill(field('Model mapping'), '{"house-model": "gpt-4o"}');
  fill(field('System prompt'), 'Be brief.');
  fill(field('Base URL'), 'https://relay.example/v0/');
  await user.click(createButton());
  await screen.findByText('Channel created');
  await expectAddress('/channel');
  await screen.findByRole('link', { name });
  const stored = { models: 'gpt-4o,house-model', group: 'default,vip', base_url: 'https://relay.example/v0' };
  expect(network.sent('POST', '/api/channel/').map(({ body }) => body)).toEqual([
    {
      ...stored,
      name,
      type: 1,
      key: 'sk-secret',
      other: '',
      config: '',
      model_mapping: '{"house-model": "gpt-4o"}',
      system_prompt: 'Be brief.',
    },
  ]);
  expect(await findChannel(await gatewayUrl(), name)).toMatchObject({ ...stored, key: '' });
});

it('[S5.35 S5.37 S5.39 S5.43] marks and reports invalid fields, and sends nothing', async () => {
  const { user, network } = await openChannelForm('');
  await user.click(createButton());
  await expectMessages('warning', ['Please fill in the channel name and key']);
  expect(document.activeElement).toBe(field('Name'));
  fill(field('Name'), 'x');
  await user.click(createButton());
  await screen.findByText('Please enter the key');
  fill(keyField(), 'sk-1');
  await user.click(createButton());
  await screen.findByText('Please select at least one model', { selector: '[data-kind="warning"] *' });
  addModel('gpt-4o');
  fill(field('Model mapping'), '{oops');
  await user.click(createButton());
  await screen.findByText('Model mapping must be valid JSON', { selector: '[data-kind="warning"] *' });
  fill(field('Model mapping'), '');
  fireEvent.keyDown(groups(), { key: 'Backspace', code: 'Backspace' });
  await user.click(createButton());
  await screen.findByText('Please select at least one group');
  expect(network.sent('POST', '/api/channel/')).toEqual([]);
});

it('[S5.38 S5.40] type Proxy requires a base URL but no models', async () => {
  const name = uniqueName('proxy');
  const { user } = await openChannelForm(name, 'sk-1');
  await chooseType('Proxy');
  await findTextbox('Base URL');
  expect(screen.queryByRole('combobox', { name: 'Available models' })).toBeNull();
  for (const label of ['Model mapping', 'System prompt'])
    expect(screen.queryByRole('textbox', { name: label })).toBeNull();
  await user.click(createButton());
  await expectMessages('warning', ['Please fill in: Base URL']);
  fill(field('Base URL'), 'https://api.example.com');
  await user.click(createButton());
  await expectAddress('/channel');
  expect(await findChannel(await gatewayUrl(), name)).toMatchObject({ type: 43, models: '' });
});

it('[S8.27] warns about an empty field that the provider may require, and creates the channel', async () => {
  const [bare, whole] = [uniqueName('bare'), uniqueName('whole')];
  for (const [name, account, warnings] of [
    [bare, '', ['Account ID is empty. The provider may reject requests.']],
    [whole, 'd8d7c61d', []],
  ] as const) {
    const { user } = await openChannelForm(name, 'sk-1');
    await chooseType('Cloudflare');
    fill(await findTextbox('Account ID'), account);
    addModel('llama-3');
    await user.click(createButton());
    await screen.findByText('Channel created');
    await expectMessages('warning', warnings);
    expect(await findChannel(await gatewayUrl(), name)).toMatchObject({ type: 37 });
  }
});

it('[S2.126] creates one channel per key when several keys are pasted', async () => {
  const name = uniqueName('batch');
  const { user } = await openChannelForm(name);
  addModel('gpt-4o');
  await user.click(keyField());
  await user.paste('sk-1\n\nsk-2\n');
  expect(screen.getByRole('radio', { name: 'A channel for each key' })).toHaveProperty('checked', true);
  expect(field('Keys').value).toBe('sk-1\nsk-2');
  await user.click(await findButton('Create 2 channels'));
  await expectAddress('/channel');
  const created = await findChannels(await gatewayUrl(), name);
  expect(created.map((channel) => channel.name)).toEqual([`${name} 1`, `${name} 2`]);
});

it('creates one channel with several keys', async () => {
  const url = await gatewayUrl();
  const name = uniqueName('rotating');
  const { user } = await openChannelForm(name);
  addModel('gpt-4o');
  await user.click(keyField());
  await user.paste('sk-first\nsk-second\nsk-third');
  await user.click(screen.getByRole('radio', { name: 'Several keys for one channel' }));
  expect(screen.getByRole('radio', { name: 'A channel for each key' })).toHaveProperty('checked', false);
  await user.click(createButton());
  await expectAddress('/channel');
  const [created, ...others] = await findChannels(url, name);
  expect(others).toEqual([]);
  const keys = await (await asRoot(url)).call(channelKeyApi.list, { params: { id: created?.id ?? 0 } });
  expect(keys).toHaveLength(3);
});

it('clones a channel without its key', async () => {
  const url = await gatewayUrl();
  const { name } = await createChannel(url, { type: 14, group: 'vip', priority: 6, system_prompt: 'Hi' });
  const { user } = await openConsole(`/channel?keyword=${name}`, { as: rootAccount });
  await chooseAction(user, name, 'Clone');
  expect((await findTextbox('Name')).value).toBe(`${name} copy`);
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveProperty('value', 'Anthropic Claude');
  await user.click(createButton());
  await expectMessages('warning', ['Please fill in the channel name and key']);
  fill(keyField(), 'sk-copy');
  await user.click(createButton());
  await screen.findByText('Channel created');
  const copied = { type: 14, group: 'vip', priority: 6, system_prompt: 'Hi', models: 'gpt-4o,gpt-4o-mini' };
  expect(await findChannel(url, `${name} copy`)).toMatchObject(copied);
});

it('[S9.41] filters the types by a single typed letter', async () => {
  const { user } = await openChannelForm('mine');
  const type = screen.getByRole('combobox', { name: 'Type' });
  await user.click(type);
  // The group and model lists are in the document too.
  const list = () => document.getElementById(type.getAttribute('aria-controls') ?? '');
  const options = () => [...(list()?.querySelectorAll('[role="option"]') ?? [])].map(({ textContent }) => textContent);
  await expect.poll(options).toEqual(channelTypes.map((known) => known.name));
  fill(type, 'z');
  await expect.poll(() => options().length).toBeLessThan(20);
  expect(options().length).toBeGreaterThan(0);
  for (const option of options()) expect(option.toLowerCase()).toContain('z');
});

it('adds models with buttons, by typing and by pasting', async () => {
  const { user } = await openChannelForm('mine');
  await expect.poll(async () => (await findButton('Add related models')).hasAttribute('disabled')).toBe(false);
  await user.click(await findButton('Add related models'));
  await expect.poll(models).toContain('gpt-4o');
  const related = models().length;
  await user.click(await findButton('Add all models'));
  await expect.poll(() => models().length).toBeGreaterThan(related * 3);
  await user.click(await findButton('Clear all'));
  await screen.findByText('0 selected');
  modelsField().focus();
  await user.paste('one, two\nthree\r\n two ,');
  addModel('four');
  await expect.poll(models).toEqual(['one', 'two', 'three', 'four']);
});

it('fills in the default models of a type only if none are selected', async () => {
  await openChannelForm('mine');
  await chooseType('Anthropic Claude');
  await expect.poll(() => models().some((name) => name?.startsWith('claude'))).toBe(true);
  const before = models();
  await chooseType('DeepSeek');
  expect(models()).toEqual(before);
});
