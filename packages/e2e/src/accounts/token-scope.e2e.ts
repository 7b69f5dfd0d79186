import { expectAccessible } from '../support/accessibility.ts';
import { createTestUser, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('shows the limits of a token and passes the accessibility checks', async ({ page, product }) => {
  await signInAs(page, await createTestUser(product.url));
  await page.goto('/token/add');
  await page.getByText('More limits').click();
  const patterns = page.getByRole('combobox', { name: 'Model patterns' });
  await patterns.fill('gpt-5*');
  await patterns.press('Enter');
  await page.getByRole('combobox', { name: 'Endpoints' }).first().click();
  await page.getByRole('option', { name: 'Conversation' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expectAccessible(page, 'token limits');
});
