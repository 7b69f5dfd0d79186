import { createPerson, openAsSomebody, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('a quota is typed in dollars or points, and more is added with a button', async ({ page, product }) => {
      const person = await createPerson(product.url, { quota: 750_000 });
      await signInAs(page, rootAccount);
      await page.goto(`/user/edit/${person.id}`);
      const quota = page.getByRole('textbox', { name: 'Remaining quota' });
      await quota.fill('$12.50');
      await expect(page.getByText('6,250,000 points')).toBeVisible();
      await quota.blur();
      await expect(quota).toHaveValue('12.5');
      await page.getByRole('radiogroup', { name: 'Unit' }).getByText('points').click();
      await expect(quota).toHaveValue('6,250,000');
      await page.getByRole('button', { name: 'Add $10', exact: true }).click();
      await expect(quota).toHaveValue('11,250,000');
      await expect(page.getByText('Worth $22.50')).toBeVisible();
      const sent = page.waitForRequest((request) => request.method() === 'PUT');
      await page.getByRole('button', { name: 'Save user' }).click();
      expect((await sent).postDataJSON()).toMatchObject({ quota: 11_250_000, quota_was: 750_000 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(viewport.width);
    });
  });

test('[S5.29] an amount that can be read in two ways is refused by name and not saved', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/token/add');
  await page.getByLabel('Name').fill('careful');
  const quota = page.getByLabel('Remaining quota');
  await quota.fill('1.500.000');
  await expect(page.getByText('Worth $3.00')).toBeVisible();
  await quota.fill('1.500');
  const creations: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/token/')) creations.push(request.url());
  });
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('“1.500” can be read as 1.5 or as 1,500: write 1.5 or 1500')).toBeVisible();
  await expect(quota).toBeFocused();
  await expect(quota).toHaveValue('1.500');
  expect(creations).toEqual([]);
  await quota.fill('1500');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect.poll(() => creations.length).toBe(1);
});
