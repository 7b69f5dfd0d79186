import { paymentApi } from '@headgate/contract';
import {
  asRoot,
  createTestUser,
  epayMerchant,
  notifyEpay,
  rootAccount,
  StubEpay,
  setOption,
  signedInClient,
} from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton } from '../../testing/page.ts';

const epay = await StubEpay.start();

beforeAll(async () => {
  const options = [
    ['ServerAddress', 'https://gateway.example.com'],
    ['EpayAddress', epay.url],
    ['EpayMerchantId', epayMerchant.id],
    ['EpayMerchantKey', epayMerchant.key],
    ['EpayEnabled', 'true'],
  ] as const;
  for (const [key, value] of options) await setOption(await gatewayUrl(), key, value);
});

afterAll(async () => {
  await setOption(await gatewayUrl(), 'EpayEnabled', 'false');
  await setOption(await gatewayUrl(), 'ServerAddress', '');
  await epay.close();
});

async function createOrder() {
  const gateway = await gatewayUrl();
  const buyer = await createTestUser(gateway);
  const client = await signedInClient(gateway, buyer);
  const { number, url } = await client.call(paymentApi.create, { body: { provider: 'epay', cents: 1000 } });
  await fetch(url);
  return { buyer, number, callbackUrl: `${gateway}/api/payment/callback/epay` };
}

it('shows offers with prices, the state of the returned order, and the order history with a receipt', async () => {
  const { buyer, number, callbackUrl } = await createOrder();
  const { user } = await openConsole(`/topup?order=${number}`, { as: buyer });
  await screen.findByText('Waiting for the payment');
  await user.click(await screen.findByRole('radio', { name: '$20.00, CN¥144.00' }));
  await findButton('Pay CN¥144.00');
  expect(await notifyEpay(callbackUrl, epay.pay(number))).toEqual({ status: 200, text: 'success' });
  await openConsole(`/topup?order=${number}`, { as: buyer });
  await screen.findByText('Payment received');
  await within(await screen.findByRole('region', { name: 'Remaining quota' })).findByText('$10.00');
  within(await screen.findByRole('table', { name: 'Orders' })).getByText('Credited');
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await openConsole(`/topup/order/${number}`, { as: buyer });
  await screen.findByText(number);
  await user.click(await findButton('Print or save as PDF'));
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
});

it('an admin filters orders, queries the provider and records a refund', async () => {
  const { buyer, number } = await createOrder();
  epay.pay(number);
  const { user } = await openConsole(`/order?keyword=${number}`, { as: rootAccount });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'Credited');
  await screen.findByText(/^No /);
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'Pending');
  await user.click(await screen.findByText(buyer.username));
  await user.click(await findButton('Check with provider'));
  await expectMessage('State: Credited');
  within(await screen.findByRole('table', { name: 'Callbacks' })).getByText('Query');
  await user.click(await findButton('Record refund'));
  const dialog = within(await screen.findByRole('dialog'));
  fill(dialog.getByRole('textbox', { name: /^Refunded in total/ }), '72.01');
  fill(dialog.getByRole('textbox', { name: 'Note' }), 'Asked for it');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText('Enter an amount above CN¥0.00 and at most CN¥72.00');
  fill(dialog.getByRole('textbox', { name: /^Refunded in total/ }), '36');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Asked for it');
  await screen.findByText('CN¥36.00');
});

it('shows the last callback in the settings and tests the callback URL', async () => {
  const root = await asRoot(await gatewayUrl());
  const { user } = await openConsole('/setting?tab=operation&topic=payment', { as: rootAccount });
  await screen.findByText('Last callback:');
  expect((await root.request('GET', '/api/order/callbacks')).status).toBe(200);
  await user.click(await findButton('Test Epay callback URL'));
  await expectMessage(/^No response from this gateway at/, 'error');
});
