import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelApi, limitRuleApi, optionApi, priceApi, userApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { expectFine } from './looks.ts';
import { asRoot, createPerson, rootAccount, signInAs } from './people.ts';
import { expect, type Product, startProduct, test } from './product.ts';

const file = `
options:
  SystemName: From a file
groups:
  vip: 0.8
models:
  gpt-4o: { input: 2.5, output: 10 }
channels:
  main: { type: OpenAI, key: { env: MAIN_KEY }, models: [gpt-4o], priority: 10 }
users:
  alice: { display_name: Alice, groups: [vip] }
limits:
  everybody: { measure: requests_per_minute, amount: 60 }
aliases:
  gpt-4: gpt-4o
routing:
  everything: { strategy: least_busy }
budgets:
  vip in a month: { group: vip, amount: 50000000, period: month }
`;

const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
let filed: Product;

test.beforeAll(async () => {
  writeFileSync(join(folder, 'headgate.yaml'), file);
  filed = await startProduct({ CONFIG_FILE: join(folder, 'headgate.yaml'), MAIN_KEY: 'sk-from-environment' });
  const root = await asRoot(filed.url);
  await root.call(channelApi.create, { body: { name: 'by-hand', key: 'sk-x', models: 'gpt-4o' } });
  await root.call(limitRuleApi.create, { body: { measure: 'tokens_per_day', amount: 9000, note: 'by-hand' } });
  await createPerson(filed.url, { username: 'by-hand' });
});

test.afterAll(async () => {
  await filed.stop();
  rmSync(folder, { recursive: true });
});

const open = async (page: Page, path: string) => page.goto(`${filed.url}${path}`);
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: name }).first();
const markIn = (page: Page, name: string) => rowOf(page, name).getByRole('img', { name: 'Managed by file' });
const notice = 'headgate.yaml, the configuration file, manages this: change it there and apply it.';

/** By the keyboard; again where the list was drawn anew meanwhile. */
async function openMenu(page: Page, name: string) {
  const button = rowOf(page, name).getByRole('button', { name: /^More actions for/ });
  const menu = page.getByRole('menu');
  await expect(async () => {
    await button.press('Enter');
    await expect(menu).toBeVisible({ timeout: 2000 });
  }).toPass();
  return menu;
}

test('forms of what the configuration file manages can be read and not changed', async ({ page }) => {
  const root = await asRoot(filed.url);
  const [channel] = await root.call(channelApi.search, { query: { keyword: 'main' } });
  const [limit] = await root.call(limitRuleApi.list, { query: { keyword: 'everybody' } });
  const [alice] = await root.call(userApi.search, { query: { keyword: 'alice', order: '' } });
  await signInAs(page, rootAccount, filed.url);

  await open(page, `/channel/edit/${channel?.id}`);
  await expect(page.getByText(notice)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save channel' })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'More keys' })).toHaveCount(0);
  await expectFine(page, 'a managed channel');

  await open(page, `/limit/edit/${limit?.id}`);
  await expect(page.getByText(notice)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save limit' })).toHaveCount(0);

  await open(page, `/user/edit/${alice?.id}`);
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Display name' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Remaining quota' }).fill('4321');
  await page.getByRole('button', { name: 'Save user' }).click();
  await expect(page.getByText('User info updated')).toBeVisible();
  expect(await root.call(userApi.get, { params: { id: alice?.id ?? 0 } })).toMatchObject({ quota: 4321 });
});

for (const [place, viewport] of Object.entries({
  'a desk': { width: 1280, height: 800 },
  'a phone': { width: 390, height: 844 },
}))
  test.describe(`lists at ${place}`, () => {
    test.use({ viewport });

    test('mark what the file manages, and offer to look at it and not to change it', async ({ page }) => {
      await signInAs(page, rootAccount, filed.url);
      for (const [path, managed] of [
        ['/channel', 'main'],
        ['/user', 'alice'],
        ['/limit', 'everybody'],
      ] as const) {
        await open(page, path);
        await expect(markIn(page, managed)).toBeVisible();
        await expect(rowOf(page, 'by-hand')).toBeVisible();
        await expect(markIn(page, 'by-hand')).toHaveCount(0);
        await expectFine(page, path);
        const menu = await openMenu(page, managed);
        await expect(menu.getByText('Managed by file')).toBeVisible();
        await expect(menu.getByRole('menuitem', { name: 'Disable' })).toBeDisabled();
        await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeDisabled();
        await page.keyboard.press('Escape');
        await openMenu(page, 'by-hand');
        await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeEnabled();
        await page.keyboard.press('Escape');
      }
    });
  });

test('the mark says in words what it means, to the keyboard too, and the number beside it cannot be typed over', async ({
  page,
}) => {
  await signInAs(page, rootAccount, filed.url);
  await open(page, '/channel');
  await markIn(page, 'main').focus();
  await expect(
    page.getByRole('tooltip', { name: 'The configuration file manages this: it can only be changed there.' }),
  ).toBeVisible();
  await expect(page.getByLabel('Priority of main, higher is preferred')).toBeDisabled();
  await expect(page.getByLabel('Priority of by-hand, higher is preferred')).toBeEnabled();
  await rowOf(page, 'main')
    .getByRole('button', { name: /^More actions for/ })
    .press('Enter');
  await page.getByRole('menuitem', { name: 'View settings' }).click();
  await expect(page.getByText(notice)).toBeVisible();
});

test('a change of many leaves out what the file manages, and counts it', async ({ page }) => {
  await signInAs(page, rootAccount, filed.url);
  await open(page, '/channel');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  const bar = page.getByRole('toolbar', { name: 'Actions for the selected rows' });
  await expect(bar).toContainText('1 managed by file');
  await bar.getByRole('button', { name: 'Priority' }).click();
  const dialog = page.getByRole('dialog', { name: 'Priority' });
  await dialog.getByLabel('Priority').fill('50');
  await expect(dialog.getByText('1 will change')).toBeVisible();
  await expect(dialog.getByText('1 cannot be changed')).toBeVisible();
  await expect(dialog.getByText('main is managed by the configuration file: change it there')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change 1 channel' }).click();
  await expect(dialog.getByText('1 changed')).toBeVisible();
  const root = await asRoot(filed.url);
  const [main] = await root.call(channelApi.search, { query: { keyword: 'main' } });
  expect(main).toMatchObject({ priority: 10 });
});

test('prices of the file are marked, can be looked at, and stay when others are pasted', async ({ page }) => {
  await signInAs(page, rootAccount, filed.url);
  await open(page, '/prices?keyword=gpt-4o');
  const row = page.getByRole('row').filter({ has: page.getByText('gpt-4o', { exact: true }) });
  await expect(row.getByRole('img', { name: 'Managed by file' })).toBeVisible();
  await expectFine(page, '/prices');
  await row.getByRole('button', { name: 'View settings: gpt-4o' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'gpt-4o' });
  await expect(dialog.getByText(notice)).toBeVisible();
  await expect(dialog.getByLabel('Input', { exact: true })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expectFine(page, 'a managed price');
  await dialog.getByRole('button', { name: 'Back' }).click();

  await page.getByRole('button', { name: 'Import' }).click();
  const pasted = page.getByRole('dialog', { name: 'Import prices' });
  await pasted.getByRole('textbox').fill('gpt-4o,1,1\ngpt-4o-mini,7,8');
  await expect(pasted.getByText('Managed by file, to be changed there: gpt-4o', { exact: true })).toBeVisible();
  await pasted.getByRole('button', { name: 'Save 1 price' }).click();
  await expect(page.getByText('Prices saved')).toBeVisible();
  const root = await asRoot(filed.url);
  const prices = new Map((await root.call(priceApi.list)).map(({ model, price }) => [model, price]));
  expect(prices.get('gpt-4o')).toMatchObject({ input: 2.5, output: 10 });
  expect(prices.get('gpt-4o-mini')).toMatchObject({ input: 7, output: 8 });
});

test('rules of routing, other names and budgets of the file are marked and can be looked at', async ({ page }) => {
  await signInAs(page, rootAccount, filed.url);
  await open(page, '/routing');
  for (const [name, title, field] of [
    ['gpt-4', 'Edit name', 'Name that is asked for'],
    ['All groups · All models', 'Edit rule', 'Among channels of the same priority'],
  ] as const) {
    await expect(page.getByRole('button', { name: `Delete ${name}`, exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: `View settings of ${name}`, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByText(notice)).toBeVisible();
    await expect(dialog.getByLabel(field)).toBeDisabled();
    await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect(dialog).toBeHidden();
  }
  await expect(page.getByRole('img', { name: 'Managed by file' })).toHaveCount(2);
  await open(page, '/budget');
  await expect(markIn(page, 'vip')).toBeVisible();
  await rowOf(page, 'vip')
    .getByRole('button', { name: /^View settings/ })
    .press('Enter');
  await expect(page.getByRole('dialog').getByText(notice)).toBeVisible();
});

test('options and ratios of the file say so in their editors', async ({ page }) => {
  await signInAs(page, rootAccount, filed.url);
  await open(page, '/setting?tab=other');
  const name = page.getByRole('textbox', { name: 'System name' });
  await expect(name).toBeDisabled();
  await expect(page.getByRole('group').filter({ has: name })).toHaveAccessibleDescription(
    'Managed by file: it can only be changed there.',
  );
  await expect(page.getByText('Managed by file: it can only be changed there.')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Logo URL' })).toBeEnabled();

  await open(page, '/setting?tab=operation');
  await expect(page.getByText('Managed by file, to be changed there: vip')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Group ratio: View' }).getByText('Table').click();
  await expect(page.getByLabel('Ratio of vip')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Remove vip' })).toBeDisabled();
  await expect(page.getByLabel('Ratio of default')).toBeEnabled();
  await expectFine(page, 'ratios');
  await page.getByLabel('Ratio of default').fill('1.5');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Operation completed successfully')).toBeVisible();
  const root = await asRoot(filed.url);
  const ratios =
    (await root.call(optionApi.list, { query: {} })).find(({ key }) => key === 'GroupRatio')?.value ?? '{}';
  expect(JSON.parse(ratios)).toMatchObject({ default: 1.5, vip: 0.8 });
});

test('marks and reasons are told in Chinese', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'zh-CN', baseURL: filed.url });
  const page = await context.newPage();
  await signInAs(page, rootAccount, filed.url);
  await open(page, '/channel');
  await expect(rowOf(page, 'main').getByRole('img', { name: '由文件管理' })).toBeVisible();
  await rowOf(page, 'main').getByRole('link', { name: 'main' }).click();
  await expect(page.getByText('由配置文件 headgate.yaml 管理，请在文件中修改并应用。')).toBeVisible();
  await context.close();
});
