import { createChannel } from '../support/channels.ts';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('selecting a row does not move the rows, on a desktop and on a phone', async ({ page, product }) => {
  const { name } = await createChannel(product.url);
  await signInAs(page, rootAccount);
  await page.goto(`/channel?keyword=${name}`);
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' });
  const box = page.getByRole('checkbox', { name: `Select ${name}` });
  for (const [width, row] of [
    [1280, 'tbody tr'],
    [390, 'li'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page.locator(`main ${row}`).filter({ has: box })).toBeVisible();
    const before = await box.boundingBox();
    await box.click();
    await expect(bar).toBeVisible();
    expect(await box.boundingBox()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await expect(bar).toHaveCount(0);
  }
});
