import { channelApi, priceApi, role } from '@headgate/contract';
import { asRoot, createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('finds models without a price in three steps from home, and sets one in dollars', async ({ page, product }) => {
  const [model, group] = [freshName('brand-new'), freshName('group')];
  const root = await asRoot(product.url);
  const body = { name: model, type: 8, key: 'k', base_url: 'http://127.0.0.1:9', models: `${model},gpt-5`, group };
  await root.call(channelApi.create, { body });
  await signInAs(page, await createPerson(product.url, { role: role.admin }));
  await page.goto('/');
  await page.getByRole('link', { name: 'Prices', exact: true }).click();
  await page
    .getByRole('radiogroup', { name: 'Status' })
    .getByText(/^No price/)
    .click();
  const place = page.getByRole('row').filter({ hasText: model });
  await expect(place).toBeVisible();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await place.getByRole('button', { name: /^Edit price/ }).click();
  const dialog = page.getByRole('dialog', { name: model });
  await dialog.getByLabel('Input', { exact: true }).fill('2');
  await dialog.getByLabel('Output', { exact: true }).fill('8');
  await expect(dialog.getByText('× 4')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Prices saved')).toBeVisible();
  await expect(page.getByText(model)).toHaveCount(0);
  const saved = (await root.call(priceApi.list)).find((row) => row.model === model);
  expect(saved).toMatchObject({ source: 'yours', price: { input: 2, output: 8 }, model_ratio: 1 });
});
