import { channelApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createChannel, findChannel, findChannels, removeAllChannels } from './channels.ts';
import { asRoot, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const widths = [
  { name: 'a desk', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
] as const;

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Actions for the selected rows' });

/** Some deeds have a button, the others are in a menu; on a phone all are. */
async function act(page: Page, deed: string): Promise<void> {
  await expect(bar(page)).toBeVisible();
  const button = bar(page).getByRole('button', { name: deed, exact: true });
  if (await button.isVisible()) return button.click();
  await bar(page)
    .getByRole('button', { name: /^(More|Actions)$/ })
    .click();
  await page.getByRole('menuitem', { name: deed, exact: true }).click();
}

/** A phone has its menu behind a button, and its filters too. */
async function openChannels(page: Page, isPhone: boolean): Promise<void> {
  await page.goto('/');
  if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  if (isPhone) await page.getByRole('button', { name: 'Filters' }).click();
}

const selectPage = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' }).click();

for (const { name: place, width, height } of widths) {
  const isPhone = width < 600;
  test.describe(`many channels at ${place}`, () => {
    test.use({ viewport: { width, height } });
    test.beforeEach(async ({ page, product }) => {
      await removeAllChannels(product.url);
      await signInAs(page, rootAccount);
    });

    test('the priority of all Azure channels is set in three steps from home', async ({ page, product }) => {
      const azure = { type: 3, base_url: 'https://one.openai.azure.com', other: '2024-06-01' };
      for (let index = 0; index < 12; index += 1) await createChannel(product.url, { ...azure });
      const other = await createChannel(product.url);
      await openChannels(page, isPhone);
      await page.getByRole('combobox', { name: 'Type' }).fill('Azure');
      await page.getByRole('option', { name: 'Azure OpenAI' }).click();
      await expect(page.getByText('1–10 of 12')).toBeVisible();
      await selectPage(page);
      await bar(page).getByRole('button', { name: 'Select all 12 that match' }).click();
      await expect(bar(page)).toContainText('All 12 that match');
      await act(page, 'Priority');
      const dialog = page.getByRole('dialog', { name: 'Priority' });
      await dialog.getByLabel('Priority').fill('50');
      await expect(dialog.getByText('12 will change')).toBeVisible();
      await dialog.getByRole('button', { name: 'Change 12 channels' }).click();
      await expect(dialog.getByText('12 changed')).toBeVisible();
      const rows = await (await asRoot(product.url)).call(channelApi.list, { query: { size: 100 } });
      expect(rows.filter(({ priority }) => priority === 50)).toHaveLength(12);
      expect(rows.find(({ id }) => id === other.id)?.priority).toBe(0);
      await dialog.getByRole('button', { name: 'Undo' }).click();
      await expect(dialog.getByText('Taken back: everything is as it was')).toBeVisible();
      const after = await (await asRoot(product.url)).call(channelApi.list, { query: { size: 100 } });
      expect(after.filter(({ priority }) => priority === 50)).toHaveLength(0);
    });

    test('a change that takes its time says so, is sent once and is not left', async ({ page, product }) => {
      for (let index = 0; index < 3; index += 1) await createChannel(product.url);
      let sent = 0;
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/api/channel/bulk', async (route) => {
        if (route.request().postDataJSON().preview === false) {
          sent += 1;
          await held;
        }
        await route.continue();
      });
      await page.goto('/channel');
      await selectPage(page);
      await act(page, 'Priority');
      const dialog = page.getByRole('dialog', { name: 'Priority' });
      await dialog.getByLabel('Priority').fill('7');
      const apply = dialog.getByRole('button', { name: 'Change 3 channels' });
      await apply.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      const words = 'Changing 3 rows: all of them change together, or none…';
      await expect(dialog.getByRole('progressbar', { name: words })).toBeVisible();
      await expect(dialog.getByLabel('Priority')).toBeDisabled();
      await page.keyboard.press('Escape');
      await expect(dialog.getByRole('status').filter({ hasText: words })).toBeVisible();
      release();
      await expect(dialog.getByText('3 changed')).toBeVisible();
      expect(sent).toBe(1);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(dialog).toHaveCount(0);
    });

    test('gpt-5 goes into 40 channels in three steps from home', async ({ page, product }) => {
      const tag = freshName('tag');
      const root = await asRoot(product.url);
      const key = Array.from({ length: 40 }, (_, index) => `key-${index}`).join('\n');
      await root.call(channelApi.create, { body: { name: 'many', key, models: 'gpt-4o', tag } });
      await createChannel(product.url, { name: 'has-it', models: 'gpt-5', tag });
      await openChannels(page, isPhone);
      await page.getByRole('combobox', { name: 'Tag' }).click();
      await page.getByRole('option', { name: `${tag} (41)` }).click();
      await expect(page.getByText('1–10 of 41')).toBeVisible();
      await selectPage(page);
      await bar(page).getByRole('button', { name: 'Select all 41 that match' }).click();
      await act(page, 'Models');
      const dialog = page.getByRole('dialog', { name: 'Models' });
      await dialog.getByRole('combobox', { name: 'Models' }).fill('gpt-5');
      await page.keyboard.press('Enter');
      await expect(dialog.getByText('40 will change')).toBeVisible();
      await expect(dialog.getByText('1 already as wanted')).toBeVisible();
      await expect(dialog.getByRole('listitem').filter({ hasText: 'many 1' }).first()).toContainText('+gpt-5');
      await dialog.getByRole('button', { name: 'Change 40 channels' }).click();
      await expect(dialog.getByText('40 changed')).toBeVisible();
      await dialog.getByRole('button', { name: 'Done' }).click();
      const rows = await root.call(channelApi.list, { query: { size: 100, tag } });
      expect(rows.filter(({ models }) => models.split(',').includes('gpt-5'))).toHaveLength(41);
    });

    test('a row that cannot be changed is named with the reason', async ({ page, product }) => {
      const [only, both] = [freshName('only'), freshName('both')];
      await createChannel(product.url, { name: only, models: 'old' });
      await createChannel(product.url, { name: both, models: 'old,new' });
      await openChannels(page, isPhone);
      await page.getByRole('checkbox', { name: `Select ${only}` }).click();
      await page.getByRole('checkbox', { name: `Select ${both}` }).click();
      await expect(bar(page)).toContainText('2 selected');
      await act(page, 'Models');
      const dialog = page.getByRole('dialog', { name: 'Models' });
      await dialog.getByText('Remove', { exact: true }).click();
      await dialog.getByRole('combobox', { name: 'Models' }).fill('old');
      await page.keyboard.press('Enter');
      await expect(dialog.getByText('1 cannot be changed')).toBeVisible();
      await expect(dialog.getByRole('listitem').filter({ hasText: only })).toContainText(
        'please select at least one model',
      );
      await dialog.getByRole('button', { name: 'Change 1 channel' }).click();
      await expect(dialog.getByText('1 changed')).toBeVisible();
      expect((await findChannel(product.url, both)).models).toBe('new');
      expect((await findChannel(product.url, only)).models).toBe('old');
    });

    test('rows stay where they are when something is selected', async ({ page, product }) => {
      const { name } = await createChannel(product.url);
      await openChannels(page, isPhone);
      const box = page.getByRole('checkbox', { name: `Select ${name}` });
      const before = await box.boundingBox();
      await box.click();
      await expect(bar(page)).toBeVisible();
      expect(await box.boundingBox()).toEqual(before);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await bar(page).getByRole('button', { name: 'Clear the selection' }).click();
      await expect(bar(page)).toHaveCount(0);
    });
  });
}

test('rows are selected by keyboard, and by range', async ({ page, product }) => {
  await removeAllChannels(product.url);
  await signInAs(page, rootAccount);
  const prefix = freshName('k');
  for (const letter of ['a', 'b', 'c', 'd']) await createChannel(product.url, { name: `${prefix}-${letter}` });
  await page.goto('/channel');
  const box = (letter: string) => page.getByRole('checkbox', { name: `Select ${prefix}-${letter}` });
  await box('d').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(box('c')).toBeChecked();
  await page.keyboard.press('ArrowDown');
  await expect(box('b')).toBeFocused();
  await expect(box('b')).not.toBeChecked();
  await box('a').click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('4 selected');
  await box('a').press('Enter');
  await expect(bar(page).getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
});

test('a view of the list is saved under a name and opened again', async ({ page, product }) => {
  await removeAllChannels(product.url);
  await signInAs(page, rootAccount);
  const tag = freshName('tag');
  await createChannel(product.url, { name: 'with', tag });
  await createChannel(product.url, { name: 'without' });
  await page.goto(`/channel?tag=${tag}&sort=-priority`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Europe');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.goto('/channel');
  await expect(page.getByRole('link', { name: 'without' })).toBeVisible();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Europe' }).click();
  await expect(page.getByRole('link', { name: 'without' })).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`tag=${tag}`));
  expect(await findChannels(product.url, 'with')).toHaveLength(2);
});

test('views are kept with the account: those of this browser move there, and another browser has them', async ({
  page,
  product,
  browser,
}) => {
  await signInAs(page, rootAccount);
  const tag = freshName('tag');
  await createChannel(product.url, { name: freshName('kept'), tag });
  await page.goto('/about');
  await page.evaluate(
    (views) => localStorage.setItem('views:channel:1', views),
    JSON.stringify([{ name: 'Of old', search: { tag } }]),
  );
  await page.goto('/channel');
  await page.getByRole('button', { name: 'Views' }).click();
  await expect(page.getByRole('menuitem', { name: 'Of old' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('views:channel:1'))).toBeNull();
  const context = await browser.newContext({ baseURL: product.url });
  const elsewhere = await context.newPage();
  await signInAs(elsewhere, rootAccount, product.url);
  await elsewhere.goto('/channel');
  await elsewhere.getByRole('button', { name: 'Views' }).click();
  await elsewhere.getByRole('menuitem', { name: 'Of old' }).click();
  await expect(elsewhere).toHaveURL(new RegExp(`tag=${tag}`));
  await elsewhere.getByRole('button', { name: 'Views' }).click();
  await elsewhere.getByRole('button', { name: 'Delete view Of old' }).click();
  await expect(elsewhere.getByRole('menuitem', { name: 'Of old' })).toHaveCount(0);
  await context.close();
});

test('channels are folded under their tags, and a tag is changed as one', async ({ page, product }) => {
  await removeAllChannels(product.url);
  await signInAs(page, rootAccount);
  for (const [name, tag] of [
    ['one', 'eu'],
    ['two', 'eu'],
    ['three', 'us'],
  ] as const)
    await createChannel(product.url, { name, tag });
  await page.goto('/channel');
  await expect(page.getByRole('columnheader', { name: 'Tag' })).toBeVisible();
  await page.getByRole('link', { name: 'By tag' }).click();
  const europe = page.getByRole('region', { name: 'eu' });
  await expect(europe).toContainText('2 of 2 enabled');
  await europe.getByRole('button', { name: 'eu', exact: false }).first().click();
  await expect(europe.getByRole('link', { name: 'two' })).toBeVisible();
  await europe.getByRole('button', { name: 'More actions for eu' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Change 2 channels' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(europe).toContainText('0 of 2 enabled');
  await expect(page.getByRole('region', { name: 'us' })).toContainText('1 of 1 enabled');
});

test('the selected channels are tested, with what came of each', async ({ page, product }) => {
  await removeAllChannels(product.url);
  await signInAs(page, rootAccount);
  const { name } = await createChannel(product.url, { base_url: 'http://127.0.0.1:9' });
  await page.goto('/channel');
  await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await act(page, 'Test');
  const dialog = page.getByRole('dialog', { name: 'Test' });
  await expect(dialog.getByText('Tested 1 of 1 · 1 failed')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toContainText(/failed/i);
});
