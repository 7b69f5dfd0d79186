import { channelApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createChannel, removeAllChannels } from './channels.ts';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Actions for the selected rows' });

test.beforeEach(async ({ page, product }) => {
  await removeAllChannels(product.url);
  await signInAs(page, rootAccount);
});

test('sets the priority of all Azure channels in three steps from home, and undoes it', async ({ page, product }) => {
  const azure = { type: 3, base_url: 'https://one.openai.azure.com', other: '2024-06-01' };
  for (let index = 0; index < 12; index += 1) await createChannel(product.url, { ...azure });
  const other = await createChannel(product.url);
  await page.goto('/');
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('combobox', { name: 'Type' }).fill('Azure');
  await page.getByRole('option', { name: 'Azure OpenAI' }).click();
  await expect(page.getByText('1–10 of 12')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await bar(page).getByRole('button', { name: 'Select all 12 that match' }).click();
  await expect(bar(page)).toContainText('All 12 that match');
  await bar(page).getByRole('button', { name: 'Priority', exact: true }).click();
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

test('keeps rows in place when one is selected, on a wide screen and a phone', async ({ page, product }) => {
  const { name } = await createChannel(product.url);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/channel');
    const box = page.getByRole('checkbox', { name: `Select ${name}` });
    const before = await box.boundingBox();
    await box.click();
    await expect(bar(page)).toBeVisible();
    expect(await box.boundingBox()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await bar(page).getByRole('button', { name: 'Clear the selection' }).click();
    await expect(bar(page)).toHaveCount(0);
  }
});
