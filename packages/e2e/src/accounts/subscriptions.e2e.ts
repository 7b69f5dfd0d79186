import { planApi } from '@headgate/contract';
import { deliverStripe, StubStripe, stripeSecrets } from '@headgate/testkit';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { createTestUser, rootAccount, setOption, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, startProduct, test } from '../support/product.ts';

const phone = { width: 390, height: 844 };

test('subscribes to a plan, cancels and resumes its renewal, and shows a renewal with its credit note', async ({
  browser,
}) => {
  const stripe = await StubStripe.start();
  const product = await startProduct({ LOGIN_PROVIDER_URLS: JSON.stringify({ stripe: stripe.url }) });
  const callbackUrl = `${product.url}/api/payment/callback/stripe`;
  stripe.webhookUrl = callbackUrl;
  const options = [
    ['ServerAddress', product.url],
    ['StripeSecretKey', stripeSecrets.key],
    ['StripeWebhookSecret', stripeSecrets.webhook],
    ['StripeEnabled', 'true'],
    ['InvoiceSeller', 'Example GmbH'],
    ['InvoiceTaxRate', '19'],
    ['InvoiceNumbersEnabled', 'true'],
  ] as const;
  for (const [key, value] of options) await setOption(product.url, key, value);
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const name = uniqueName('Monthly');

  await signInAs(page, rootAccount);
  await page.goto('/plan');
  // An empty list has a second button.
  await page.getByRole('button', { name: 'Add plan' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Price' }).fill('9.90');
  await dialog.getByRole('checkbox', { name: 'Recurring' }).check();
  await dialog.getByRole('textbox', { name: 'Amount per day' }).fill('5');
  await expectAccessible(page, 'dialog of a recurring plan', dialogSelector);
  await dialog.getByRole('button', { name: 'Save plan' }).click();
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('$9.90 every 30 days');
  const root = await signedInClient(product.url, rootAccount);
  expect(await root.call(planApi.list)).toMatchObject([{ recurring: true }]);

  const buyer = await createTestUser(product.url);
  await signInAs(page, buyer);
  await page.goto('/topup');
  await expect(page.getByText('Renews automatically.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: `${name}: Buy with` }).click();
  await page.getByRole('heading', { name: '9.9 usd' }).waitFor();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText(`Plan ${name} is active`)).toBeVisible();

  const own = page.getByRole('region', { name: 'Your plans' });
  await page.setViewportSize(phone);
  await page.goto('/topup');
  await expect(own.getByText('Renews on')).toBeVisible();
  await expectAccessible(page, 'a plan that renews');
  await own.getByRole('button', { name: `${name}: Cancel renewal` }).click();
  const question = page.getByRole('dialog');
  await expectAccessible(page, 'question before a renewal is canceled', dialogSelector);
  await question.getByRole('button', { name: 'Cancel renewal' }).click();
  await expect(page.getByText('Renewal canceled')).toBeVisible();
  await expect(own.getByText('Valid until')).toBeVisible();
  await expectAccessible(page, 'a plan without renewal');
  await own.getByRole('button', { name: `${name}: Resume renewal` }).click();
  await expect(own.getByText('Renews on')).toBeVisible();

  const [subscription] = stripe.subscriptions.values();
  if (!subscription) throw new Error('no subscription');
  const invoice = subscription.renew();
  const renewed = subscription.invoiceObject(invoice, { shape: 'older' });
  await deliverStripe(callbackUrl, stripe.sign('invoice.paid', renewed));
  await deliverStripe(callbackUrl, stripe.sign('charge.refunded', subscription.chargeObject(invoice, 990)));
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'Refunded' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Credit note' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'CN-000001' }).getByText('-$9.90')).toBeVisible();
  await expectAccessible(page, 'credit note');
  await context.close();
  await product.stop();
  await stripe.close();
});
