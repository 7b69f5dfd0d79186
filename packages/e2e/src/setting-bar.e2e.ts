import { rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('changes of several tabs are kept, counted and saved together', async ({ page, product }) => {
      await signInAs(page, rootAccount);
      await page.goto('/setting?tab=operation');
      await page.getByRole('textbox', { name: 'Retry times' }).fill('2');
      const bar = page.getByRole('region', { name: 'Unsaved changes' });
      await expect(bar).toContainText('1 unsaved change');
      await expect(bar).toBeInViewport();
      await page.getByRole('tab', { name: 'Other settings' }).click();
      await page.getByLabel('System name').fill('Two tabs');
      await expect(bar).toContainText('2 unsaved changes');
      await expect(bar).toContainText('General · Personalization');
      await page.getByRole('tab', { name: 'Operation settings' }).click();
      await expect(page.getByRole('textbox', { name: 'Retry times' })).toHaveValue('2');
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PUT') sent.push(request.postDataJSON());
      });
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Operation completed successfully')).toBeVisible();
      await expect(bar).toHaveCount(0);
      expect(sent).toEqual(
        expect.arrayContaining([
          { key: 'RetryTimes', value: '2' },
          { key: 'SystemName', value: 'Two tabs' },
        ]),
      );
      expect(sent).toHaveLength(2);
      await setOption(product.url, 'SystemName', 'Headgate');
      await setOption(product.url, 'RetryTimes', '0');
    });

    test('changes are thrown away by Discard', async ({ page }) => {
      await signInAs(page, rootAccount);
      await page.goto('/setting?tab=other');
      const name = page.getByLabel('System name');
      await expect(name).toHaveValue('Headgate');
      await name.fill('Never saved');
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(name).toHaveValue('Headgate');
      await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0);
    });
  });

test('the index beside the settings leads to a section and says where one is', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/setting?tab=system');
  const index = page.getByRole('complementary', { name: 'On this page' });
  await expect(index.getByRole('link')).toHaveCount(10);
  await index.getByRole('link', { name: 'Bot check' }).click();
  await expect(page.getByRole('heading', { name: 'Bot check' })).toBeInViewport();
  await index.getByRole('link', { name: 'SMTP' }).click();
  await expect(index.locator('[aria-current]')).toHaveText('SMTP');
  await expect(page).toHaveURL('/setting?tab=system#setting-smtp');
  await page.getByRole('tab', { name: 'Other settings' }).click();
  await expect(index.getByRole('link')).toHaveText(['Personalization', 'Content']);
});

test('leaving the settings with changes asks', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/setting?tab=other');
  await page.getByLabel('System name').fill('Never saved');
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('System name')).toHaveValue('Never saved');
});

test('Enter in a field saves what was changed', async ({ page, product }) => {
  await signInAs(page, rootAccount);
  await page.goto('/setting?tab=system');
  await page.getByLabel('Server address').first().fill('https://gate.example');
  await page.getByLabel('Server address').first().press('Enter');
  await expect(page.getByText('Operation completed successfully')).toBeVisible();
  await setOption(product.url, 'ServerAddress', '');
});

test('in the form of a channel the address stands above the button that asks it for models', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/channel/add');
  const address = await page.getByLabel('Proxy address').boundingBox();
  const fetching = await page.getByRole('button', { name: 'Fetch models' }).boundingBox();
  expect(address?.y).toBeLessThan(fetching?.y ?? 0);
});
