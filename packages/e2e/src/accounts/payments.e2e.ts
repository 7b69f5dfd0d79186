import { epayMerchant, StubEpay } from '@headgate/testkit';
import { expectAccessible } from '../support/accessibility.ts';
import { createTestUser, rootAccount, setOption, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('buys quota, shows the receipt, and deducts the quota after a refund', async ({ page, product }) => {
  const epay = await StubEpay.start();
  const options = [
    ['ServerAddress', product.url],
    ['TopUpAmounts', '5, 10 +20%'],
    ['EpayAddress', epay.url],
    ['EpayMerchantId', epayMerchant.id],
    ['EpayMerchantKey', epayMerchant.key],
    ['EpayMethods', 'alipay,wxpay'],
    ['EpayEnabled', 'true'],
  ] as const;
  for (const [key, value] of options) await setOption(product.url, key, value);
  const buyer = await createTestUser(product.url);
  await signInAs(page, buyer);
  const balance = page.getByRole('region', { name: 'Remaining quota' });

  await page.goto('/topup');
  await page.getByRole('radio', { name: /^\$12\.00/ }).click();
  await page.getByRole('radio', { name: 'WeChat Pay' }).click();
  await expectAccessible(page, 'top-up page with offers');
  await page.getByRole('button', { name: 'Pay CN¥72.00' }).click();
  await page.getByRole('heading', { name: '72.00 CNY' }).waitFor();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByText('Waiting for the payment')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Payment received')).toBeVisible();
  await expect(balance.getByText('$12.00', { exact: true })).toBeVisible();

  await page.getByRole('status').getByRole('link', { name: 'Receipt' }).click();
  const receipt = page.getByRole('table', { name: 'Receipt' });
  await expect(receipt.getByText('CN¥72.00')).toBeVisible();
  await expect(receipt.getByText('WeChat Pay')).toBeVisible();
  await expectAccessible(page, 'receipt');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^receipt-\w+\.csv$/);

  await signInAs(page, rootAccount);
  await page.goto('/order?state=credited');
  await page.getByRole('row').filter({ hasText: buyer.username }).click();
  await expect(page.getByRole('table', { name: 'Callbacks' }).getByText('Credited')).toBeVisible();
  await expectAccessible(page, 'order');
  await page.getByRole('button', { name: 'Record refund' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Asked for it');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('table', { name: 'Order' }).getByText('Refunded').first()).toBeVisible();
  await signInAs(page, buyer);
  await page.goto('/topup');
  await expect(balance.getByText('$0.00', { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Orders' }).getByText('Refunded')).toBeVisible();
  await setOption(product.url, 'EpayEnabled', 'false');
  await epay.close();
});
