import AxeBuilder from '@axe-core/playwright';
import { tokenApi } from '@headgate/contract';
import { clientOf, createPerson, freshName, openAsSomebody, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('the palette opens with the keyboard and leads to a page', async ({ page }) => {
      await signInAs(page, rootAccount);
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Go to or do anything' });
      await expect(field).toBeFocused();
      await field.fill('redem');
      await expect(page.getByRole('option', { selected: true })).toHaveText('Redemption codes');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/redemption');
      await expect(field).toHaveCount(0);
    });

    test('users and tokens are found by name, and the arrows choose among them', async ({ page, product }) => {
      const person = await createPerson(product.url);
      const name = freshName('key');
      await (await clientOf(product.url, rootAccount)).call(tokenApi.create, { body: { name } });
      await signInAs(page, rootAccount);
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Go to or do anything' });
      await field.fill(person.username);
      await page.getByRole('group', { name: 'Users' }).getByRole('option').first().click();
      await expect(page).toHaveURL(`/user/view/${person.id}`);
      await page.keyboard.press('Control+k');
      await field.fill(name);
      await expect(page.getByRole('group', { name: 'Tokens' }).getByRole('option', { name })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/token\/edit\/\d+/);
    });
  });

test('an ordinary user is offered nothing of the admins', async ({ page, product }) => {
  await openAsSomebody(page, product.url, '/about');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Go to…' }).click();
  await expect(page.getByRole('option', { name: 'Tokens' })).toBeVisible();
  await expect(page.getByRole('option', { name: /Channels|Users|Add user|Redemption/ })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Go to or do anything' }).fill('zzzz');
  await expect(page.getByText('Nothing found')).toBeVisible();
  expect(calls.filter((path) => /^\/api\/(channel|user\/search)/.test(path))).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a slash goes to the search of the list, a question mark lists the shortcuts, and fields take both as letters', async ({
  page,
  product,
}) => {
  await openAsSomebody(page, product.url, '/token');
  const search = page.getByRole('searchbox');
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('a/b?');
  await expect(search).toHaveValue('a/b?');
  await search.blur();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the palette has no serious fault of accessibility, in either scheme, and fits 320 pixels', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
