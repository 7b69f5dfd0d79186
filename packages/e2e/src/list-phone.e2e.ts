import { createChannel, createManyChannels } from './channels.ts';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test.use({ viewport: { width: 390, height: 844 } });

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('the rows of a phone begin in the upper third; filters unfold and fold', async ({ page, product }) => {
  const { name, group } = await createChannel(product.url);
  await page.addInitScript(() => localStorage.setItem('prompt-detail', 'true'));
  await page.goto(`/channel?keyword=${name}`);
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card).toBeVisible();
  expect((await card.boundingBox())?.y).toBeLessThan(844 / 3);
  await expect(page.getByRole('button', { name: 'Test all' })).toBeInViewport();
  await expect(page.getByRole('combobox', { name: 'Group' })).toHaveCount(0);
  const filters = page.getByRole('button', { name: 'Filters' });
  await filters.press('Enter');
  await expect(filters).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: group, exact: true }).click();
  await expect(page).toHaveURL(/group=default/);
  await expect(page.getByRole('switch', { name: 'Details' })).toBeVisible();
  await filters.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Group' })).toHaveCount(0);
  await expect(card).toBeVisible();
});

test('the bar of what is selected does not lie on the button that adds', async ({ page, product }) => {
  const name = await createManyChannels(product.url, 3);
  await page.goto(`/channel?keyword=${name}`);
  const add = page.getByRole('link', { name: 'Add channel' });
  await expect(add).toBeInViewport({ ratio: 1 });
  await page.getByRole('checkbox', { name: `Select ${name} 1`, exact: true }).click();
  await expect(page.getByRole('toolbar')).toBeVisible();
  await expect(add).toBeHidden();
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await expect(add).toBeVisible();
});
