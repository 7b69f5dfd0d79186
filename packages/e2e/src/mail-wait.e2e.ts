import { withStatus } from './gateway-status.ts';
import { createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('[S4.35 S4.36 S9.19] the wait for another code survives the dialog and a reload, and ends in its time', async ({
  page,
  product,
}) => {
  await page.route('**/api/verification**', (route) => route.fulfill({ json: { success: true, message: '' } }));
  await signInAs(page, await createPerson(product.url));
  await page.clock.install({ time: '2026-01-01T00:00:00' });
  await page.goto('/setting');
  const dialog = page.getByRole('dialog');
  const open = () => page.getByRole('button', { name: 'Bind Email' }).click();
  await open();
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await page.clock.pauseAt('2026-01-01T01:00:00');
  await dialog.getByRole('button', { name: 'Get code' }).click();
  await expect(dialog.getByRole('button', { name: 'Resend (30)' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.clock.resume();
  await expect(dialog).toHaveCount(0);
  await page.clock.runFor(10_000);
  await open();
  await expect(dialog.getByRole('button', { name: /^Resend \((20|19|18)\)$/ })).toBeDisabled();
  await page.reload();
  await open();
  await expect(dialog.getByRole('button', { name: /^Resend \(/ })).toBeDisabled();
  await page.clock.runFor(31_000);
  await expect(dialog.getByRole('button', { name: 'Get code' })).toBeEnabled();
});

test('[S2.58 S9.19] so does the wait of the registration', async ({ page }) => {
  await withStatus(page, { email_verification: true });
  await page.route('**/api/verification**', (route) => route.fulfill({ json: { success: true, message: '' } }));
  await page.goto('/register');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Get code' }).click();
  await expect(page.getByRole('button', { name: /^Retry \(/ })).toBeDisabled();
  await page.reload();
  await expect(page.getByRole('button', { name: /^Retry \(/ })).toBeDisabled();
});
