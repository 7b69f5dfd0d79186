import { channelApi, priceApi, role } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { asRoot, createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

/** A channel that offers a model nobody priced, to a group of its own. */
async function offer(url: string) {
  const [model, group] = [freshName('brand-new'), freshName('group')];
  const root = await asRoot(url);
  const body = { name: model, type: 8, key: 'k', base_url: 'http://127.0.0.1:9', models: `${model},gpt-5`, group };
  await root.call(channelApi.create, { body });
  return { model, group, root };
}

const placeOf = (page: Page, model: string) =>
  page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: model }).first();

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`prices on ${screen}`, () => {
    test.use({ viewport });

    test('models without a price are found in three steps from Home, and get one in dollars', async ({
      page,
      product,
    }) => {
      const { model, root } = await offer(product.url);
      await signInAs(page, await createPerson(product.url, { role: role.admin }));
      await page.goto('/');
      if (viewport.width < 600) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Prices', exact: true }).click();
      await page
        .getByRole('radiogroup', { name: 'Status' })
        .getByText(/^No price/)
        .click();
      const place = placeOf(page, model);
      await expect(place).toBeVisible();
      await place.getByRole('button', { name: /^(Edit price|More actions)/ }).click();
      if (viewport.width < 600) await page.getByRole('menuitem', { name: 'Edit price' }).click();
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

    test('pasted prices are shown as a difference before they are saved', async ({ page, product }) => {
      const { model, root } = await offer(product.url);
      await signInAs(page, await createPerson(product.url, { role: role.admin }));
      await page.goto('/prices');
      await page.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import prices' });
      await dialog.getByRole('textbox').fill(`${model},3,15\nnonsense`);
      await expect(dialog.getByText('1 line without a price')).toBeVisible();
      await expect(dialog.getByRole('row').filter({ hasText: model }).first()).toContainText('No price');
      await dialog.getByRole('button', { name: 'Save 1 price' }).click();
      await expect(page.getByText('Prices saved')).toBeVisible();
      const saved = (await root.call(priceApi.list)).find((row) => row.model === model);
      expect(saved?.price).toMatchObject({ input: 3, output: 15 });
    });

    test('a user reads what the own models cost, and changes nothing', async ({ page, product }) => {
      const { model, group } = await offer(product.url);
      await signInAs(page, await createPerson(product.url, { group }));
      await page.goto('/prices');
      await expect(placeOf(page, 'gpt-5')).toContainText('$1.25');
      await expect(placeOf(page, model)).not.toContainText('$');
      await expect(page.getByRole('button', { name: 'Edit price' })).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    });
  });

test('the channel form says which of its models have no price', async ({ page, product }) => {
  const { model, root } = await offer(product.url);
  const [channel] = await root.call(channelApi.search, { query: { keyword: model } });
  await signInAs(page, await createPerson(product.url, { role: role.admin }));
  await page.goto(`/channel/edit/${channel?.id}`);
  await expect(page.getByText(`No price: ${model}`)).toBeVisible();
});
