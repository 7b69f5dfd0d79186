import { expectFine, scrollsSideways } from './looks.ts';
import { rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('focuses the field of the palette, which is accessible and fits 320 pixels', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Go to or do anything' })).toBeFocused();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectFine(page, 'the palette');
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await scrollsSideways(page, 'the palette')).toEqual([]);
});
