import { channelApi, limitRuleApi, role, routingApi, tokenApi, userApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { expectFine } from './looks.ts';
import { asRoot, clientOf, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'This has changed meanwhile' });
const answer = (page: Page, words: string) => question(page).getByRole('button', { name: words }).click();

test.describe('[A52.10] a channel that somebody else changed while its form was open', () => {
  test('is told of with who it was, and reloaded, or kept on the screen; nothing of it is lost', async ({
    page,
    product,
  }) => {
    const root = await asRoot(product.url);
    const other = await createPerson(product.url, { role: role.admin });
    const name = freshName('shared');
    await root.call(channelApi.create, { body: { name, key: 'sk-x', models: 'm' } });
    const { rows } = await root.page(channelApi.search, { query: { keyword: name } });
    const id = rows[0]?.id ?? 0;
    const stored = () => root.call(channelApi.get, { params: { id } });
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await signInAs(page, rootAccount);
    await page.goto(`/channel/edit/${id}`);
    await field.fill('Mine');
    const admin = await clientOf(product.url, other);
    await admin.call(channelApi.update, { body: { id, models: 'm,n', system_prompt: 'Be brief' } });
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(question(page)).toContainText(`${other.username} changed channel ${name}`);
    await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await expectFine(page, 'the question');
    await page.keyboard.press('Enter');
    await expect(question(page)).toBeHidden();
    await expect(field).toHaveValue('Mine');
    expect(await stored()).toMatchObject({ name, models: 'm,n' });
    await page.getByRole('button', { name: 'Save channel' }).click();
    await answer(page, 'Reload');
    await expect(field).toHaveValue(name);
    await expect(page.getByLabel('System prompt')).toHaveValue('Be brief');
    await field.fill('Ours');
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('Channel updated')).toBeVisible();
    expect(await stored()).toMatchObject({ name: 'Ours', models: 'm,n', system_prompt: 'Be brief' });
  });

  test('is saved without a question when nothing that the form shows has changed', async ({ page, product }) => {
    const root = await asRoot(product.url);
    await root.call(channelApi.create, { body: { name: 'Quiet', key: 'sk-x', models: 'm' } });
    const { rows } = await root.page(channelApi.search, { query: { keyword: 'Quiet' } });
    const id = rows[0]?.id ?? 0;
    await signInAs(page, rootAccount);
    await page.goto(`/channel/edit/${id}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quieter');
    await root.call(channelApi.update, { body: { id, status: 2 } });
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('Channel updated')).toBeVisible();
    expect(await root.call(channelApi.get, { params: { id } })).toMatchObject({ name: 'Quieter', status: 2 });
  });
});

test.describe('[A52.10] other forms ask as well before they save over somebody', () => {
  test('a limit is overwritten only when that is chosen', async ({ page, product }) => {
    const root = await asRoot(product.url);
    const note = freshName('limit');
    await root.call(limitRuleApi.create, { body: { measure: 'tokens_per_day', amount: 9000, note, enabled: false } });
    const [limit] = await root.call(limitRuleApi.list, { query: { keyword: note } });
    const id = limit?.id ?? 0;
    const stored = () => root.call(limitRuleApi.get, { params: { id } });
    await signInAs(page, rootAccount);
    await page.goto(`/limit/edit/${id}`);
    await page.getByRole('textbox', { name: 'At most' }).fill('7000');
    await root.call(limitRuleApi.update, { body: { id, amount: 8000 } });
    await page.getByRole('button', { name: 'Save limit' }).click();
    await expect(question(page)).toContainText('Somebody else has changed it');
    await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    expect(await stored()).toMatchObject({ amount: 8000 });
    await expect(page.getByRole('textbox', { name: 'At most' })).toHaveValue('7,000');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await answer(page, 'Overwrite');
    await expect(page.getByText('Limit updated')).toBeVisible();
    expect(await stored()).toMatchObject({ amount: 7000 });
  });

  test('in a dialog, which stays open with what was typed when the question is escaped', async ({ page, product }) => {
    const root = await asRoot(product.url);
    const pattern = freshName('alias');
    const { id } = await root.call(routingApi.createAlias, { body: { pattern, model: 'gpt-4o' } });
    await signInAs(page, rootAccount);
    await page.goto('/routing');
    await page.getByRole('button', { name: `Edit ${pattern}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit name' });
    await dialog.getByLabel('Model that serves').fill('gpt-mine');
    await root.call(routingApi.updateAlias, { body: { id, pattern, model: 'gpt-theirs' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(question(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question(page)).toBeHidden();
    await expect(dialog.getByLabel('Model that serves')).toHaveValue('gpt-mine');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await answer(page, 'Reload');
    await expect(dialog.getByLabel('Model that serves')).toHaveValue('gpt-theirs');
    await dialog.getByLabel('Model that serves').fill('gpt-ours');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Name saved')).toBeVisible();
    expect(await root.call(routingApi.alias, { params: { id } })).toMatchObject({ model: 'gpt-ours' });
  });

  test('the own profile, which stays open, is saved twice without a question and asks when it must', async ({
    page,
    product,
  }) => {
    const person = await createPerson(product.url);
    const program = await clientOf(product.url, person);
    await signInAs(page, person);
    await page.goto('/user/edit');
    const field = page.getByRole('textbox', { name: 'Display name' });
    for (const words of ['First', 'Second']) {
      await field.fill(words);
      await page.getByRole('button', { name: 'Save profile' }).click();
      await expect.poll(async () => (await program.call(userApi.self)).display_name).toBe(words);
      await expect(page.getByRole('button', { name: 'Save profile' })).toBeEnabled();
    }
    await field.fill('Third');
    await program.call(userApi.updateSelf, { body: { display_name: 'Elsewhere' } });
    await page.getByRole('button', { name: 'Save profile' }).click();
    await answer(page, 'Overwrite');
    await expect.poll(async () => (await program.call(userApi.self)).display_name).toBe('Third');
  });

  test('what is spent of a token meanwhile asks nobody', async ({ page, product }) => {
    const person = await createPerson(product.url);
    const program = await clientOf(product.url, person);
    await program.call(tokenApi.create, { body: { name: 'Spending', remain_quota: 100 } });
    const [token] = await program.call(tokenApi.list, { query: { order: '' } });
    const id = token?.id ?? 0;
    await signInAs(page, person);
    await page.goto(`/token/edit/${id}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
    await program.call(tokenApi.update, { query: {}, body: { id, remain_quota: 50 } });
    await page.getByRole('button', { name: 'Save token' }).click();
    await expect(page.getByText('Token updated')).toBeVisible();
    expect(await program.call(tokenApi.get, { params: { id } })).toMatchObject({ name: 'Renamed', remain_quota: 50 });
  });
});

test('the question is asked in Chinese, and names who changed a user', async ({ browser, product }) => {
  const root = await asRoot(product.url);
  const person = await createPerson(product.url);
  const context = await browser.newContext({ locale: 'zh-CN', baseURL: product.url });
  const page = await context.newPage();
  await signInAs(page, rootAccount);
  await page.goto(`/user/edit/${person.id}`);
  await page.getByRole('textbox', { name: '显示名称' }).fill('我的');
  await root.call(userApi.update, { body: { id: person.id, display_name: 'Theirs' } });
  await page.getByRole('button', { name: '保存用户' }).click();
  const dialog = page.getByRole('dialog', { name: '内容已被修改' });
  await expect(dialog).toContainText('root');
  await dialog.getByRole('button', { name: '覆盖' }).click();
  await expect
    .poll(async () => (await root.call(userApi.get, { params: { id: person.id } })).display_name)
    .toBe('我的');
  await context.close();
});
