import { createChannel, findChannel, findChannels, rootAccount, uniqueName } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  addModel,
  chooseType,
  createButton,
  field,
  keyField,
  models,
  openChannelForm,
} from '../../testing/channel-form.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { chooseOption, expectMessages } from '../../testing/list-page.ts';
import { type Call, Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { chooseAction, expectAddress, fill, findButton, findRow, findTextbox } from '../../testing/page.ts';

const respondWith = (data: unknown) => () => Response.json({ success: true, message: '', data });
const modelLists = { 1: ['kept-one', 'kept-two'], 14: ['kept-claude'] };

it('[S3.12 S7.4] fetches the models of all types once, and stores them in the browser', async () => {
  const network = new Network();
  network.route('GET', '/api/models', respondWith(modelLists));
  const { user } = await openConsole('/channel/add', { as: rootAccount, network });
  const fillRelated = async () => {
    await expect.poll(async () => (await findButton('Add related models')).hasAttribute('disabled')).toBe(false);
    await user.click(await findButton('Add related models'));
    expect(models()).toEqual(['kept-one', 'kept-two']);
  };
  await fillRelated();
  expect(JSON.parse(localStorage.getItem('channel_models') ?? '{}')).toEqual(modelLists);
  await user.click((await screen.findAllByRole('link', { name: 'Channels' }))[0] as HTMLElement);
  await user.click(await findButton('Discard changes'));
  await user.click((await screen.findAllByRole('link', { name: 'Add channel' }))[0] as HTMLElement);
  await fillRelated();
  expect(network.sent('GET', '/api/models')).toHaveLength(1);
  // After a reload, the stored models are used before the server responds.
  network.hold('GET', '/api/models');
  await openConsole('/channel/add', { network });
  await fillRelated();
  await expect.poll(() => network.sent('GET', '/api/models').length).toBe(2);
});

it("[S7.5 S7.7] offers the server's models and groups", async () => {
  const network = new Network();
  network.route('GET', '/api/channel/models', respondWith([{ id: 'first-id', object: 'model' }, { id: 'second-id' }]));
  network.route('GET', '/api/group/', respondWith(['default', 'only-here']));
  const { user } = await openConsole('/channel/add', { as: rootAccount, network });
  await user.click(await screen.findByRole('combobox', { name: 'Available models' }));
  await expect
    .poll(() => screen.queryAllByRole('option', { name: /-id$/ }).map(({ textContent }) => textContent))
    .toEqual(['first-id', 'second-id']);
  await user.click(await findButton('Add all models'));
  expect(models()).toEqual(['first-id', 'second-id']);
  await chooseOption(user, screen.getByRole('combobox', { name: 'Groups' }), 'only-here');
  expect([...document.querySelectorAll('form .mantine-Pill-label')].map(({ textContent }) => textContent)).toEqual([
    'default',
    'only-here',
  ]);
});

/** Selects the types one after another, and expects fields that the previous type did not have. */
async function expectFields(fieldsOfTypes: readonly (readonly [type: string, ...labels: string[]])[]): Promise<void> {
  await openChannelForm('mine');
  for (const [type, ...labels] of fieldsOfTypes) {
    for (const label of labels) expect(screen.queryByRole('textbox', { name: label }), label).toBeNull();
    await chooseType(type);
    for (const label of labels) await findTextbox(label);
    keyField();
  }
}

it('[S2.112 S2.113 S2.117] shows the URL fields of a type', () =>
  expectFields([
    ['Azure OpenAI', 'Azure OpenAI endpoint', 'API version'],
    ['custom channel', 'Base URL'],
    ['knowledge base FastGPT', 'Private deployment address'],
  ]));

it('[S2.114 S2.115 S2.116 S2.119 S2.120] shows the extra fields of a type', () =>
  expectFields([
    ['Alibaba Tongyi Qianwen', 'Plugin parameter'],
    ['iFlytek Spark', 'Model version'],
    ['knowledge base AI Proxy', 'Knowledge base ID'],
    ['Coze', 'User ID'],
    ['Cloudflare', 'Account ID'],
  ]));

it('[S2.122 S2.123 S2.124 S2.125] shows the format of a multi-part key', async () => {
  await openChannelForm('mine');
  for (const [type, format] of [
    ['Baidu Wenxin Qianfan', 'APIKey|SecretKey'],
    ['iFlytek Spark', 'APPID|APISecret|APIKey'],
    ['knowledge base FastGPT', 'APIKey-AppId'],
    ['Tencent Hunyuan', 'AppId|SecretId|SecretKey'],
  ] as const) {
    await chooseType(type);
    await screen.findByText(`Format: ${format}`);
    screen.getByPlaceholderText(format);
  }
});

it('[S5.42] sends the default API version for Azure OpenAI when none is given', async () => {
  const name = uniqueName('azure');
  const { user } = await openChannelForm(name, 'sk-1');
  addModel('gpt-4o');
  await chooseType('Azure OpenAI');
  fill(await findTextbox('Azure OpenAI endpoint'), 'https://house.openai.azure.com/');
  await user.click(createButton());
  await expectAddress('/channel');
  const stored = { other: '2024-03-01-preview', base_url: 'https://house.openai.azure.com' };
  expect(await findChannel(await gatewayUrl(), name)).toMatchObject(stored);
});

it('[S2.111 S2.118 S3.34 S3.37 S5.44] builds the key of AWS from region and keys, and never shows the secret key', async () => {
  const name = uniqueName('aws');
  const { user, network } = await openChannelForm(name);
  await chooseType('AWS');
  fill(await findTextbox('Region'), 'us-west-2');
  expect(screen.queryByLabelText(/^Key/)).toBeNull();
  expect(screen.queryByRole('switch')).toBeNull();
  fill(field('AWS IAM access key'), 'AK');
  await user.click(createButton());
  await expectMessages('warning', ['Please fill in the channel name and key']);
  fill(screen.getByLabelText(/^AWS IAM secret key/), 'SK');
  await user.click(createButton());
  await expectAddress('/channel');
  const [created] = network.sent('POST', '/api/channel/');
  const { key, config } = (created as Call).body as { key: string; config: string };
  expect(key).toBe('AK|SK|us-west-2');
  expect(JSON.parse(config)).toEqual({ region: 'us-west-2', ak: 'AK', sk: 'SK' });
  const { id } = await findChannel(await gatewayUrl(), name);
  await openConsole(`/channel/edit/${id}`, { network });
  expect((await findTextbox('Region')).value).toBe('us-west-2');
  expect(screen.getByLabelText(/^AWS IAM secret key/)).toHaveProperty('value', '');
  screen.getByText('A value is stored. Leave empty to keep it.');
  await user.click(await findButton('Save channel'));
  await screen.findByText('Channel updated');
});

it('[S2.121 S5.45] builds the key of VertexAI from region, project and credentials', async () => {
  const { user, network } = await openChannelForm(uniqueName('vertex'));
  await chooseType('VertexAI');
  fill(await findTextbox('Region'), 'us-east5');
  fill(field('Project ID'), 'house');
  fill(field('Google application default credentials JSON'), '{\n  "type": "x"\n}');
  await user.click(createButton());
  await screen.findByText('Channel created');
  expect(network.sent('POST', '/api/channel/')[0]?.body).toMatchObject({
    key: 'us-east5|house|{\n  "type": "x"\n}',
  });
});

it('[S2.13 S2.99 S2.127 S5.36 S7.37 S8.27] edits a channel from its row, keeping its key', async () => {
  await openConsole('/channel/add', { as: rootAccount });
  await findButton('Create channel');
  const url = await gatewayUrl();
  const { name, id } = await createChannel(url, { model_mapping: '{"a":"b"}' });
  const { user, network } = await openConsole(`/channel?keyword=${name}`, { as: rootAccount });
  await chooseAction(user, name, 'Edit');
  await expectAddress(`/channel/edit/${id}`);
  expect((await findTextbox('Name')).value).toBe(name);
  expect(network.sent('GET', `/api/channel/${id}`)).not.toEqual([]);
  expect(keyField().value).toBe('');
  screen.getByText('A key is stored. Leave empty to keep it.');
  expect(screen.queryByRole('switch')).toBeNull();
  expect(field('Model mapping').value).toBe('{\n  "a": "b"\n}');
  fill(field('Name'), `${name}-2`);
  await user.click(await findButton('Save channel'));
  await screen.findByText('Channel updated');
  await expectAddress(`/channel?keyword=${name}`);
  expect(network.sent('PUT', '/api/channel/').map(({ body }) => body)).toEqual([{ id, name: `${name}-2` }]);
  expect(await findChannels(url, `key-of-${name}`)).toHaveLength(1);
  await findRow(`${name}-2`);
});

it('shows an error for a channel that does not exist', async () => {
  await openConsole('/channel/edit/999999', { as: rootAccount });
  await screen.findByText('Could not be loaded');
});
