import { tokenApi } from '@headgate/contract';
import { clientOf, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const widths = [
  { name: 'a desk', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
] as const;

for (const { name: place, width, height } of widths) {
  const isPhone = width < 600;
  test.describe(`users at ${place}`, () => {
    test.use({ viewport: { width, height } });
    test.beforeEach(({ page }) => signInAs(page, rootAccount));

    test('all tokens of a user are off in three steps from home', async ({ page, product }) => {
      const person = await createPerson(product.url);
      const client = await clientOf(product.url, person);
      await client.call(tokenApi.create, { body: { name: 'one' } });
      await page.goto('/');
      if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByRole('button', { name: `More actions for ${person.username}` }).click();
      await page.getByRole('menuitem', { name: 'Open' }).click();
      await expect(page.getByRole('heading', { level: 1, name: person.username })).toBeVisible();
      await page.getByRole('button', { name: 'Disable all tokens' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disable all tokens' }).click();
      await expect(page.getByText('2 tokens disabled')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Tokens' }).getByText('Disabled', { exact: true })).toHaveCount(2);
      expect(await client.call(tokenApi.counts)).toEqual({ 2: 2 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });

    test('quota is given to some users at once, with a reason', async ({ page, product }) => {
      const prefix = freshName('q');
      const people = [
        await createPerson(product.url, { username: `${prefix}a` }),
        await createPerson(product.url, { username: `${prefix}b` }),
      ];
      await page.goto(`/user?keyword=${prefix}`);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
      const bar = page.getByRole('toolbar', { name: 'Actions for the selected rows' });
      await expect(bar).toContainText('2 selected');
      if (isPhone) {
        await bar.getByRole('button', { name: 'Actions' }).click();
        await page.getByRole('menuitem', { name: 'Quota' }).click();
      } else await bar.getByRole('button', { name: 'Quota' }).click();
      const dialog = page.getByRole('dialog', { name: 'Quota' });
      await dialog.getByRole('textbox', { name: 'Quota' }).fill('500000');
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('the outage');
      await expect(dialog.getByText('2 will change')).toBeVisible();
      await dialog.getByRole('button', { name: 'Change 2 users' }).click();
      await expect(dialog.getByText('2 changed')).toBeVisible();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByText('$1.00').first()).toBeVisible();
      expect(people).toHaveLength(2);
    });
  });
}
