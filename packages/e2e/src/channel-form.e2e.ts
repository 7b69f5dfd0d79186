import { channelTypes } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { countSent, createChannel, findChannel, findChannels, sent } from './channels.ts';
import { freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const models = (page: Page) => page.getByRole('combobox', { name: 'Offered models' });
const groups = (page: Page) => page.getByRole('combobox', { name: 'Groups' });
const keyField = (page: Page) => page.getByRole('textbox', { name: 'Key', exact: true });
const create = (page: Page) => page.getByRole('button', { name: 'Create channel' });
const warning = (page: Page) => page.locator('[data-kind="warning"]');

async function chooseType(page: Page, name: string): Promise<void> {
  const type = page.getByRole('combobox', { name: 'Type' });
  await type.click();
  await type.fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

/** Opens the form with what every channel needs, save its models and what its type asks for. */
async function openWith(page: Page, { name, key }: { readonly name: string; readonly key?: string }): Promise<void> {
  await page.goto('/channel/add');
  await field(page, 'Name').fill(name);
  if (key !== undefined) await keyField(page).fill(key);
}

async function addModel(page: Page, name: string): Promise<void> {
  await models(page).fill(name);
  await models(page).press('Enter');
}

/** Pastes into the focused field, as from another program. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);

const pillsOf = (page: Page) => page.locator('form [data-model]').allTextContents();

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test.describe('a new channel', () => {
  test('[S2.13 S2.100 S2.108 S2.109 S2.110] has a form that the list leads to, with a field for each part', async ({
    page,
  }) => {
    await page.goto('/channel');
    await page.getByRole('main').getByRole('link', { name: 'Add channel' }).first().click();
    await expect(page).toHaveURL('/channel/add');
    await expect(page.getByRole('heading', { level: 1, name: 'Add channel' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Type' })).toBeVisible();
    for (const label of ['Name', 'Key', 'Proxy address', 'Model mapping', 'System prompt'])
      await expect(field(page, label)).toBeEditable();
    for (const name of ['gpt-4o', 'house-model']) await addModel(page, name);
    expect(await pillsOf(page)).toEqual(['gpt-4o', 'house-model']);
    await groups(page).fill('vip');
    await groups(page).press('Enter');
    await expect(page.locator('form .mantine-Pill-label').filter({ hasText: /^(default|vip)$/ })).toHaveCount(2);
    await chooseType(page, 'iFlytek Spark');
    await expect(field(page, 'Model version')).toBeEditable();
  });

  test('[S3.30 S3.31 S3.33 S5.41 S7.38 S8.27] is made of what the form holds', async ({ page, product }) => {
    const name = freshName('made');
    await page.goto('/channel/add');
    await field(page, 'Name').fill(name);
    await keyField(page).fill(' sk-secret ');
    await groups(page).fill('vip');
    await groups(page).press('Enter');
    await addModel(page, 'gpt-4o');
    await addModel(page, 'house-model');
    await field(page, 'Model mapping').fill('{"house-model": "gpt-4o"}');
    await field(page, 'System prompt').fill('Be brief.');
    await field(page, 'Proxy address').fill('https://relay.example/v0/');
    const request = sent(page, 'POST', '/api/channel/');
    await create(page).click();
    expect((await request).postDataJSON()).toEqual({
      name,
      type: 1,
      key: 'sk-secret',
      base_url: 'https://relay.example/v0',
      other: '',
      config: '',
      models: 'gpt-4o,house-model',
      group: 'default,vip',
      model_mapping: '{"house-model": "gpt-4o"}',
      system_prompt: 'Be brief.',
    });
    await expect(page.getByText('Channel created')).toBeVisible();
    await expect(page).toHaveURL('/channel');
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
    const stored = {
      models: 'gpt-4o,house-model',
      group: 'default,vip',
      base_url: 'https://relay.example/v0',
      key: '',
    };
    expect(await findChannel(product.url, name)).toMatchObject(stored);
  });

  test('[S3.29 S3.32] starts as OpenAI in the default group, without models', async ({ page }) => {
    await page.goto('/channel/add');
    await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('OpenAI');
    await expect(page.locator('form .mantine-Pill-label')).toHaveText(['default']);
    expect(await pillsOf(page)).toEqual([]);
  });

  test('[S5.35 S5.37 S5.39 S5.43] slips are marked and told, and nothing is sent', async ({ page }) => {
    const calls = countSent(page, 'POST', '/api/channel/');
    await page.goto('/channel/add');
    await create(page).click();
    await expect(warning(page)).toHaveText('Please fill in the channel name and key');
    await expect(field(page, 'Name')).toBeFocused();
    await field(page, 'Name').fill('x');
    await create(page).click();
    await expect(page.getByText('Please enter the key')).toBeVisible();
    await keyField(page).fill('sk-1');
    await create(page).click();
    await expect(warning(page).filter({ hasText: 'Please select at least one model' })).toBeVisible();
    await addModel(page, 'gpt-4o');
    await field(page, 'Model mapping').fill('{oops');
    await create(page).click();
    await expect(warning(page).filter({ hasText: 'Model mapping must be valid JSON' })).toBeVisible();
    await field(page, 'Model mapping').fill('');
    await groups(page).press('Backspace');
    await create(page).click();
    await expect(page.getByText('Please select at least one group')).toBeVisible();
    expect(calls()).toBe(0);
  });

  test('[S5.38 S5.40] of type Proxy needs no models, and has none to fill in', async ({ page, product }) => {
    const name = freshName('proxy');
    await openWith(page, { name, key: 'sk-1' });
    await chooseType(page, 'Proxy');
    await expect(models(page)).toHaveCount(0);
    for (const label of ['Model mapping', 'System prompt']) await expect(field(page, label)).toHaveCount(0);
    await create(page).click();
    await expect(warning(page)).toHaveText('Please fill in: Base URL');
    await field(page, 'Base URL').fill('https://api.example.com');
    await create(page).click();
    await expect(page).toHaveURL('/channel');
    expect(await findChannel(product.url, name)).toMatchObject({ type: 43, models: '' });
  });

  test('with an empty field that its provider may do without is made, and its maker is warned', async ({
    page,
    product,
  }) => {
    const bare = freshName('bare');
    await openWith(page, { name: bare, key: 'sk-1' });
    await chooseType(page, 'Cloudflare');
    await addModel(page, 'llama-3');
    await create(page).click();
    await expect(page).toHaveURL('/channel');
    await expect(warning(page)).toHaveText('Account ID is empty: the provider may refuse requests');
    expect(await findChannel(product.url, bare)).toMatchObject({ type: 37 });
    const whole = freshName('whole');
    await openWith(page, { name: whole, key: 'sk-1' });
    await chooseType(page, 'Cloudflare');
    await addModel(page, 'llama-3');
    await field(page, 'Account ID').fill('d8d7c61d');
    await create(page).click();
    await expect(page.getByText('Channel created')).toBeVisible();
    await expect(warning(page)).toHaveCount(0);
  });

  test('[S2.126] of a batch: one channel per key', async ({ page, product }) => {
    const name = freshName('batch');
    await openWith(page, { name });
    await addModel(page, 'gpt-4o');
    await keyField(page).focus();
    await paste(page, 'sk-1\n\nsk-2\n');
    await expect(page.getByRole('switch', { name: 'Create several channels at once' })).toBeChecked();
    await expect(field(page, 'Keys')).toHaveValue('sk-1\nsk-2');
    await page.getByRole('button', { name: 'Create 2 channels' }).click();
    await expect(page).toHaveURL('/channel');
    expect((await findChannels(product.url, name)).map((channel) => channel.name)).toEqual([`${name} 1`, `${name} 2`]);
  });

  test('is a copy of another, all but its key', async ({ page, product }) => {
    const { name } = await createChannel(product.url, { type: 14, group: 'vip', priority: 6, system_prompt: 'Hi' });
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    await expect(field(page, 'Name')).toHaveValue(`${name} copy`);
    await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('Anthropic Claude');
    await create(page).click();
    await expect(warning(page)).toHaveText('Please fill in the channel name and key');
    await keyField(page).fill('sk-copy');
    await create(page).click();
    await expect(page.getByText('Channel created')).toBeVisible();
    const copied = { type: 14, group: 'vip', priority: 6, system_prompt: 'Hi', models: 'gpt-4o,gpt-4o-mini' };
    expect(await findChannel(product.url, `${name} copy`)).toMatchObject(copied);
  });
});

test.describe('models', () => {
  const answer = (page: Page, path: string, data: unknown) =>
    page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, message: '', data } }));

  test('[S3.12 S7.4] of a type are asked for once, kept in memory and in the browser’s storage', async ({ page }) => {
    const calls = countSent(page, 'GET', '/api/models');
    const related = page.getByRole('button', { name: 'Fill related models' });
    await answer(page, '/api/models', { 1: ['kept-one', 'kept-two'], 14: ['kept-claude'] });
    await page.goto('/channel/add');
    await related.click();
    await expect.poll(() => pillsOf(page)).toEqual(['kept-one', 'kept-two']);
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('channel_models') ?? '{}'))).toEqual({
      1: ['kept-one', 'kept-two'],
      14: ['kept-claude'],
    });
    // Within the console it is remembered: no second call.
    await page.getByRole('link', { name: 'Channels', exact: true }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Add channel' }).first().click();
    await related.click();
    await expect.poll(() => pillsOf(page)).toEqual(['kept-one', 'kept-two']);
    expect(calls()).toBe(1);
    // Opened anew, what was stored is there before the server answers.
    await page.route('**/api/models', () => undefined);
    await page.reload();
    await related.click();
    await expect.poll(() => pillsOf(page)).toEqual(['kept-one', 'kept-two']);
    expect(calls()).toBe(2);
  });

  test('[S7.5] that can be chosen are the ids the server gives', async ({ page }) => {
    await answer(page, '/api/channel/models', [{ id: 'first-id', object: 'model' }, { id: 'second-id' }]);
    await page.goto('/channel/add');
    await models(page).click();
    await expect(page.getByRole('option', { name: /-id$/ })).toHaveText(['first-id', 'second-id']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Fill all models' }).click();
    await expect.poll(() => pillsOf(page)).toEqual(['first-id', 'second-id']);
  });

  test('[S7.7] are offered to the groups the server gives', async ({ page }) => {
    await answer(page, '/api/group/', ['default', 'only-here']);
    await page.goto('/channel/add');
    await groups(page).click();
    await page.getByRole('option', { name: 'only-here', exact: true }).click();
    await expect(page.locator('form .mantine-Pill-label')).toHaveText(['default', 'only-here']);
  });

  test('are filled in with buttons, typed and pasted', async ({ page }) => {
    await page.goto('/channel/add');
    await page.getByRole('button', { name: 'Fill related models' }).click();
    await expect(page.getByText('gpt-4o', { exact: true })).toBeVisible();
    const related = (await pillsOf(page)).length;
    await page.getByRole('button', { name: 'Fill all models' }).click();
    await expect.poll(async () => (await pillsOf(page)).length).toBeGreaterThan(related * 3);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect(page.getByText('0 chosen')).toBeVisible();
    await models(page).focus();
    await paste(page, 'one, two\nthree\r\n two ,');
    await addModel(page, 'four');
    expect(await pillsOf(page)).toEqual(['one', 'two', 'three', 'four']);
  });

  test('follow the type only while there are none', async ({ page }) => {
    await page.goto('/channel/add');
    await chooseType(page, 'Anthropic Claude');
    await expect.poll(async () => (await pillsOf(page)).some((name) => name.startsWith('claude'))).toBe(true);
    const before = await pillsOf(page);
    await chooseType(page, 'DeepSeek');
    expect(await pillsOf(page)).toEqual(before);
  });
});

test.describe('the type decides what is asked', () => {
  type FieldsOfTypes = readonly (readonly [type: string, labels: readonly string[]])[];

  const addressesOfTypes: FieldsOfTypes = [
    ['Azure OpenAI', ['Azure OpenAI endpoint', 'API version']],
    ['custom channel', ['Base URL']],
    ['knowledge base FastGPT', ['Private deployment address']],
  ];

  const parametersOfTypes: FieldsOfTypes = [
    ['Alibaba Tongyi Qianwen', ['Plugin parameter']],
    ['iFlytek Spark', ['Model version']],
    ['knowledge base AI Proxy', ['Knowledge base ID']],
    ['Coze', ['User ID']],
    ['Cloudflare', ['Account ID']],
  ];

  async function lookAtFields(page: Page, fieldsOfTypes: FieldsOfTypes): Promise<void> {
    await page.goto('/channel/add');
    for (const [type, labels] of fieldsOfTypes) {
      for (const label of labels) await expect(field(page, label)).toHaveCount(0);
      await chooseType(page, type);
      for (const label of labels) await expect(field(page, label)).toBeVisible();
      await expect(keyField(page)).toBeVisible();
    }
  }

  test('[S2.112 S2.113 S2.117] addresses that only some types have', async ({ page }) => {
    await lookAtFields(page, addressesOfTypes);
  });

  test('[S2.114 S2.115 S2.116 S2.119 S2.120] parameters that only some types have', async ({ page }) => {
    await lookAtFields(page, parametersOfTypes);
  });

  test('[S3.58 S3.59] types are offered in their order, each label beside a mark in its colour', async ({ page }) => {
    await page.goto('/channel/add');
    await page.getByRole('combobox', { name: 'Type' }).click();
    const options = page.getByRole('listbox').getByRole('option');
    await expect(options).toHaveText(channelTypes.map(({ name }) => name));
    const drawn = await options.evaluateAll((elements) =>
      elements.map((element) => getComputedStyle(element.querySelector('[data-mark]') ?? element).color),
    );
    // What the page's own style sheet says of each name.
    const colours = channelTypes.map(({ color }) => (color === 'dark' ? 'dark-6' : `${color}-7`));
    const named = await page.evaluate(
      (names) =>
        names.map((name) => {
          const probe = document.createElement('i');
          probe.style.backgroundColor = `var(--mantine-color-${name})`;
          document.body.append(probe);
          const { backgroundColor } = getComputedStyle(probe);
          probe.remove();
          return backgroundColor;
        }),
      colours,
    );
    expect(drawn).toEqual(named);
    expect(new Set(drawn).size).toBeGreaterThan(8);
  });

  test('[S9.41] one letter is enough to search the types', async ({ page }) => {
    await page.goto('/channel/add');
    const type = page.getByRole('combobox', { name: 'Type' });
    await type.click();
    const options = page.getByRole('listbox').getByRole('option');
    await expect(options).toHaveCount(46);
    await type.fill('z');
    await expect.poll(() => options.count()).toBeLessThan(20);
    for (const text of await options.allTextContents()) expect(text.toLowerCase()).toContain('z');
  });

  test('[S2.122 S2.123 S2.124 S2.125] the form of a key that has parts is told', async ({ page }) => {
    await page.goto('/channel/add');
    for (const [type, form] of [
      ['Baidu Wenxin Qianfan', 'APIKey|SecretKey'],
      ['iFlytek Spark', 'APPID|APISecret|APIKey'],
      ['knowledge base FastGPT', 'APIKey-AppId'],
      ['Tencent Hunyuan', 'AppId|SecretId|SecretKey'],
    ] as const) {
      await chooseType(page, type);
      await expect(page.getByText(`In the form ${form}`)).toBeVisible();
      await expect(page.getByPlaceholder(form)).toBeVisible();
    }
  });

  test('[S5.42] Azure OpenAI without an API version gets the usual one', async ({ page, product }) => {
    const name = freshName('azure');
    await openWith(page, { name, key: 'sk-1' });
    await chooseType(page, 'Azure OpenAI');
    await field(page, 'Azure OpenAI endpoint').fill('https://house.openai.azure.com/');
    await create(page).click();
    await expect(page).toHaveURL('/channel');
    const stored = { other: '2024-03-01-preview', base_url: 'https://house.openai.azure.com' };
    expect(await findChannel(product.url, name)).toMatchObject(stored);
  });

  test('[S2.111 S2.118 S3.34 S3.37 S5.44] AWS: region and keys make up the key, and the secret one stays hidden', async ({
    page,
    product,
  }) => {
    const name = freshName('aws');
    await openWith(page, { name });
    await chooseType(page, 'AWS');
    await expect(keyField(page)).toHaveCount(0);
    await expect(page.getByRole('switch')).toHaveCount(0);
    await field(page, 'Region').fill('us-west-2');
    await field(page, 'AWS IAM access key').fill('AK');
    await create(page).click();
    await expect(warning(page)).toHaveText('Please fill in the channel name and key');
    await page.getByLabel('AWS IAM secret key').fill('SK');
    const request = sent(page, 'POST', '/api/channel/');
    await create(page).click();
    const { key, config } = (await request).postDataJSON();
    expect(key).toBe('AK|SK|us-west-2');
    expect(JSON.parse(config)).toEqual({ region: 'us-west-2', ak: 'AK', sk: 'SK' });
    await expect(page).toHaveURL('/channel');
    const { id } = await findChannel(product.url, name);
    await page.goto(`/channel/edit/${id}`);
    await expect(field(page, 'Region')).toHaveValue('us-west-2');
    await expect(page.getByLabel('AWS IAM secret key')).toHaveValue('');
    await expect(page.getByText('One is stored; leave blank to keep it')).toBeVisible();
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('Channel updated')).toBeVisible();
  });

  test('[S2.121 S5.45] VertexAI: region, project and credentials make up the key', async ({ page }) => {
    await openWith(page, { name: freshName('vertex') });
    await chooseType(page, 'VertexAI');
    await field(page, 'Region').fill('us-east5');
    await field(page, 'Project ID').fill('house');
    await field(page, 'Google application default credentials JSON').fill('{\n  "type": "x"\n}');
    const request = sent(page, 'POST', '/api/channel/');
    await create(page).click();
    expect((await request).postDataJSON().key).toBe('us-east5|house|{\n  "type": "x"\n}');
    await expect(page.getByText('Channel created')).toBeVisible();
  });
});

test.describe('a stored channel', () => {
  test('[S2.13 S2.99 S2.127 S7.37] is read into the form that its row leads to', async ({ page, product }) => {
    const { name, id } = await createChannel(product.url, { model_mapping: '{"a":"b"}' });
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    const asked = sent(page, 'GET', `/api/channel/${id}`);
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await asked;
    await expect(page).toHaveURL(`/channel/edit/${id}`);
    await expect(keyField(page)).toHaveValue('');
    await expect(page.getByText('A key is stored; leave blank to keep it')).toBeVisible();
    await expect(page.getByRole('switch')).toHaveCount(0);
    await expect(field(page, 'Name')).toHaveValue(name);
    await expect(field(page, 'Model mapping')).toHaveValue('{\n  "a": "b"\n}');
  });

  test('[S5.36 S8.27] is changed, its key kept', async ({ page, product }) => {
    const { name, id } = await createChannel(product.url);
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('link', { name, exact: true }).click();
    await field(page, 'Name').fill(`${name}-2`);
    const request = sent(page, 'PUT', '/api/channel/');
    await page.getByRole('button', { name: 'Save channel' }).click();
    expect((await request).postDataJSON()).toEqual({ id, name: `${name}-2` });
    await expect(page.getByText('Channel updated')).toBeVisible();
    await expect(page).toHaveURL(`/channel?keyword=${name}`);
    expect(await findChannels(product.url, `key-of-${name}`)).toHaveLength(1);
  });

  test('that is gone says so', async ({ page }) => {
    await page.goto('/channel/edit/999999');
    await expect(page.getByText('This could not be loaded')).toBeVisible();
  });
});
