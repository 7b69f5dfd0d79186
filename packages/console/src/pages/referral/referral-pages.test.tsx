import { paymentApi, registrationApi, userApi } from '@headgate/contract';
import {
  ageSessions,
  asRoot,
  createTestUser,
  epayMerchant,
  notifyEpay,
  rootAccount,
  StubEpay,
  setOption,
  signedInClient,
  uniqueName,
} from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton, findTextbox } from '../../testing/page.ts';

const epay = await StubEpay.start();
const options = [
  ['ServerAddress', 'https://gateway.example.com', ''],
  ['EpayAddress', epay.url, ''],
  ['EpayMerchantId', epayMerchant.id, ''],
  ['EpayMerchantKey', epayMerchant.key, ''],
  ['EpayEnabled', 'true', 'false'],
  ['ReferralSharePercent', '10', '0'],
  ['ReferralWaitDays', '0', '14'],
  ['ReferralPayoutMinimum', '100000', '0'],
  ['CheckInEnabled', 'true', 'false'],
  ['CheckInMinQuota', '500000', '1000'],
  ['CheckInMaxQuota', '500000', '10000'],
] as const;

beforeAll(async () => {
  for (const [key, value] of options) await setOption(await gatewayUrl(), key, value);
});

afterAll(async () => {
  for (const [key, , initial] of options.toReversed()) await setOption(await gatewayUrl(), key, initial);
  await epay.close();
});

/** A user whose invited user has paid for ten dollars of quota. */
async function inviterWithShare() {
  const gateway = await gatewayUrl();
  const inviter = await createTestUser(gateway);
  const aff_code = await (await signedInClient(gateway, inviter)).call(userApi.inviteCode);
  const username = uniqueName('guest');
  const password = 'long enough 1';
  const root = await asRoot(gateway);
  await root.call(registrationApi.register, { query: {}, body: { username, password, aff_code } });
  const client = await signedInClient(gateway, { username, password });
  const { number, url } = await client.call(paymentApi.create, { body: { provider: 'epay', cents: 1000 } });
  await fetch(url);
  await notifyEpay(`${gateway}/api/payment/callback/epay`, epay.pay(number));
  return { inviter, invited: username };
}

it('checks in once a day on the top-up page', async () => {
  const person = await createTestUser(await gatewayUrl());
  const { user } = await openConsole('/topup', { as: person });
  const section = within(await screen.findByRole('region', { name: 'Daily check-in' }));
  section.getByText('Adds $1.00 to $1.00 of quota once per day.');
  await user.click(section.getByRole('button', { name: 'Check in' }));
  await expectMessage('$1.00 added');
  expect(await section.findByRole('button', { name: 'Checked in' })).toHaveProperty('disabled', true);
  await within(screen.getByRole('region', { name: 'Remaining quota' })).findByText('$1.00');
});

it('shows referral shares, transfers them to the balance and requests a payout, which an admin marks as paid', async () => {
  const { inviter, invited } = await inviterWithShare();
  const { user } = await openConsole('/topup', { as: inviter });
  await user.click(await screen.findByRole('link', { name: 'Referrals' }));
  await screen.findByText('You receive 10% of the quota bought by users you invited.');
  await within(await screen.findByRole('table', { name: 'Referral shares' })).findByText(invited);
  await screen.findByText(/\/register\?aff=\w+$/);

  await user.click(await findButton('Transfer to balance'));
  const amount = () => screen.getByRole('textbox', { name: /^Amount/ });
  fill(await screen.findByRole('textbox', { name: /^Amount/ }), '1.01');
  await user.click(await findButton('Transfer'));
  await screen.findByText('Enter an amount from $0.000002 to $1.00');
  fill(amount(), '0.4');
  await user.click(await findButton('Transfer'));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await screen.findByText('$0.60');

  await user.click(await findButton('Request payout'));
  fill(await findTextbox('Payment details'), 'PayPal ada@example.com');
  await ageSessions(await workerGateway());
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Request payout' }));
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
  fill(proof.getByLabelText('Password'), inviter.password);
  await user.click(proof.getByRole('button', { name: 'Continue' }));
  await within(await screen.findByRole('table', { name: 'Payouts' })).findByText('Requested');

  const admin = await openConsole('/payout?state=requested', { as: rootAccount });
  const row = within(await screen.findByRole('row', { name: new RegExp(inviter.username) }));
  row.getByText('PayPal ada@example.com');
  await admin.user.click(row.getByRole('button', { name: /^Mark as paid/ }));
  fill(await findTextbox('Note'), 'Transfer 4711');
  await admin.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Mark as paid' }));
  await expect.poll(() => screen.queryByRole('row', { name: new RegExp(inviter.username) })).toBeNull();
  await openConsole('/topup/referral', { as: inviter });
  await within(await screen.findByRole('table', { name: 'Payouts' })).findByText('Transfer 4711');
});
