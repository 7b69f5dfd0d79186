import { tokenApi } from '@headgate/contract';
import { completion, epayMerchant, StubEpay, StubUpstream } from '@headgate/testkit';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { createChannel } from '../support/channels.ts';
import { createTestUser, rootAccount, setOption, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const phone = { width: 390, height: 844 };

test('sells a plan, shows the exhausted window and its reset time, and redeems a plan code', async ({
  page,
  product,
  browser,
}) => {
  const [epay, upstream] = [await StubEpay.start(), await StubUpstream.start(completion())];
  const options = [
    ['ServerAddress', product.url],
    ['EpayAddress', epay.url],
    ['EpayMerchantId', epayMerchant.id],
    ['EpayMerchantKey', epayMerchant.key],
    ['EpayMethods', 'alipay'],
    ['EpayEnabled', 'true'],
  ] as const;
  for (const [key, value] of options) await setOption(product.url, key, value);
  await createChannel(product.url, { name: uniqueName('plans'), base_url: upstream.url, models: 'gpt-4o' });
  const name = uniqueName('Pro');

  await signInAs(page, rootAccount);
  await page.goto('/plan');
  // An empty list has a second button.
  await page.getByRole('button', { name: 'Add plan' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Price' }).fill('72');
  await dialog.getByRole('combobox', { name: 'Currency' }).selectOption('cny');
  await dialog.getByRole('textbox', { name: 'Amount per day' }).fill('0.00015');
  await expectAccessible(page, 'plan dialog', dialogSelector);
  await dialog.getByRole('button', { name: 'Save plan' }).click();
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('CN¥72.00');

  await page.goto('/redemption/add');
  await page.getByRole('textbox', { name: 'Name' }).fill('plan code');
  await page.getByRole('combobox', { name: 'Plan' }).selectOption({ label: name });
  await expect(page.getByRole('textbox', { name: 'Quota' })).toHaveCount(0);
  await expectAccessible(page, 'codes of a plan');
  await page.getByRole('button', { name: 'Create codes' }).click();
  await expect(page.getByText(`1 code created, worth ${name} each.`)).toBeVisible();
  const code = await page.getByRole('dialog').getByRole('textbox').inputValue();

  const buyer = await createTestUser(product.url);
  await signInAs(page, buyer);
  await page.goto('/topup');
  await expectAccessible(page, 'top-up page with a plan for sale');
  await page.getByRole('button', { name: `${name}: Buy with Alipay` }).click();
  await page.getByRole('heading', { name: '72.00 CNY' }).waitFor();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText(`Plan ${name} is active`)).toBeVisible();
  const own = page.getByRole('region', { name: 'Your plans' });
  await expect(own.getByText(name)).toBeVisible();

  const client = await signedInClient(product.url, buyer);
  const { key } = await client.call(tokenApi.create, { body: { name: 'plan', unlimited_quota: true } });
  const send = () =>
    fetch(`${product.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    });
  expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(429);

  await page.setViewportSize(phone);
  await page.goto('/topup');
  await expect(own.getByText(/used of \$0\.00015 per day · Resets/)).toBeVisible();
  await expectAccessible(page, 'top-up page with a used plan');

  await own.getByRole('button', { name: `${name}: Cancel plan` }).click();
  const question = page.getByRole('dialog', { name: `Cancel the plan ${name}?` });
  await expect(question.getByText('Its payment is not refunded.')).toBeVisible();
  await expectAccessible(page, 'question before a plan is canceled', dialogSelector);
  await question.getByRole('button', { name: 'Keep plan' }).click();
  await expect(own.getByText(name)).toBeVisible();
  await own.getByRole('button', { name: `${name}: Cancel plan` }).click();
  await question.getByRole('button', { name: 'Cancel plan' }).click();
  await expect(page.getByText('Plan canceled')).toBeVisible();
  await expect(own).toHaveCount(0);

  const chinese = await browser.newContext({ locale: 'zh-CN', viewport: phone, baseURL: product.url });
  const page2 = await chinese.newPage();
  await signInAs(page2, await createTestUser(product.url));
  await page2.goto('/topup');
  await page2.getByRole('textbox', { name: '兑换码' }).fill(code.trim());
  await page2.getByRole('button', { name: '兑换', exact: true }).click();
  await expect(page2.getByText('套餐已激活')).toBeVisible();
  await expect(page2.getByRole('region', { name: '我的套餐' }).getByText(/每日/)).toBeVisible();
  await chinese.close();
  await setOption(product.url, 'EpayEnabled', 'false');
  await Promise.all([epay.close(), upstream.close()]);
});
