import type { Page } from '@playwright/test';
import { createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': 1280, 'a phone': 390 };

/** The address of what is narrowed, and how to come to the views. */
const lists = {
  log: { path: '/log?type=2&model_name=gpt-4o', isFolded: true },
  token: { path: '/token?status=1', isFolded: false },
};

async function openViews(page: Page, isFolded: boolean): Promise<void> {
  if (isFolded) await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: 'Views' }).click();
}

for (const [screen, width] of Object.entries(screens))
  for (const [list, { path, isFolded }] of Object.entries(lists))
    test(`on ${screen} a view of the list ${list} is saved with the account and opened elsewhere`, async ({
      page,
      browser,
      product,
    }) => {
      const person = await createPerson(product.url);
      const name = freshName('view');
      const folds = isFolded && width < 600;
      await page.setViewportSize({ width, height: 844 });
      await signInAs(page, person);
      await page.goto(path);
      await openViews(page, folds);
      await page.getByRole('menuitem', { name: 'Save this view' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await page.keyboard.press('Enter');
      await saved;
      const context = await browser.newContext({ baseURL: product.url, viewport: { width, height: 844 } });
      const elsewhere = await context.newPage();
      await signInAs(elsewhere, person);
      await elsewhere.goto(`/${list}`);
      await openViews(elsewhere, folds);
      await elsewhere.getByRole('menuitem', { name }).click();
      await expect(elsewhere).toHaveURL(path);
      // What was unfolded for it stays so.
      await elsewhere.getByRole('button', { name: `Views · ${name}` }).click();
      await expect(elsewhere.getByRole('menuitem', { name })).toHaveAttribute('aria-current', 'true');
      await context.close();
    });

test('[A46.6] views of odd contents hide no others, and stay where they are', async ({ page, product }) => {
  const person = await createPerson(product.url);
  await signInAs(page, person);
  await page.goto('/token');
  const odd = [
    { name: '', search: { status: '1' } },
    { name: 'none', search: null },
    { name: 'number', search: { status: 1 } },
    { name: 'long', search: { keyword: 'x'.repeat(5000) } },
    { name: '<img src=x onerror=alert(1)>', search: { ['__proto__']: 'x', status: '2' } },
    { name: 'whole', search: { status: '1' } },
  ];
  await page.evaluate(
    ([key = '', views = '']) => localStorage.setItem(key, views),
    [`views:token:${person.id}`, JSON.stringify(odd)],
  );
  await page.reload();
  await openViews(page, false);
  await expect(page.getByRole('menuitem', { name: '<img src=x onerror=alert(1)>' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'whole' }).click();
  await expect(page).toHaveURL('/token?status=1');
});
