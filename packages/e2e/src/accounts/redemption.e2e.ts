import { readFile } from 'node:fs/promises';
import { createTestUser, rootAccount, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('[S2.156 S5.50 S5.51 S7.56 S8.28] downloads and shows new codes, and redeems one', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = `a/b ${uniqueName('')}`;
  await signInAs(page, rootAccount);
  await page.goto('/redemption');
  await page.getByRole('link', { name: 'Add codes' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(` ${name} `);
  await page.getByRole('textbox', { name: 'Quota' }).fill('1.5');
  await page.getByRole('textbox', { name: 'Count' }).fill('3.2');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Create codes' }).click();
  expect((await sent).postDataJSON()).toEqual({ name, quota: 750_000, count: 3 });
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${name.replace('/', '_')}.txt`);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(/^(\S+\n){3}$/);
  await expect(page.getByText('Redemption created').first()).toBeVisible();

  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('3 codes created, worth $1.50 each.')).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveValue(text.trimEnd());
  await dialog.getByRole('button', { name: 'Copy all' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL('/redemption');
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(3);

  await signInAs(page, await createTestUser(product.url, { quota: 500_000 }));
  await page.goto('/topup');
  await page.getByRole('textbox', { name: 'Redemption code' }).fill(text.split('\n')[0] ?? '');
  await page.getByRole('button', { name: 'Redeem' }).click();
  await expect(page.getByRole('region', { name: 'Remaining quota' }).getByText('$2.50', { exact: true })).toBeVisible();
});
