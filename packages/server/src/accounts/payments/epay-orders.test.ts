import { signEpay } from '@headgate/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments();
const { app, epay, rowOf, buy, order, callbacksOf, sendEpay } = scene;
const { user, client } = await scene.signedInUser();
/** Quota points worth ten dollars. */
const tenDollars = 5_000_000;

const balance = async () => (await rowOf(user.id)).quota;
const verdicts = async (number: string) => (await callbacksOf(number)).map(({ verdict }) => verdict);

afterEach(() => expectBalancedLedger(app.database));

describe('Epay', () => {
  it('credits orders on GET and POST notifications, and includes unknown fields in the signature check', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const before = await balance();
      const { number, url } = await buy(client, { provider: 'epay' });
      expect((await fetch(url)).status).toBe(200);
      const fields = epay.pay(number, { buyer: 'someone & co?', unknown: '值' });
      for (let time = 0; time < 2; time += 1)
        expect(await sendEpay(fields, method)).toEqual({ status: 200, text: 'success' });
      expect(await balance()).toBe(before + tenDollars);
      expect(await order(number)).toMatchObject({ state: 'credited', payment_id: fields['trade_no'], amount: 7200 });
    }
  });

  it('rejects forged notifications and those with a different amount, merchant or state', async () => {
    const before = await balance();
    const { number, url } = await buy(client, { provider: 'epay' });
    await fetch(url);
    const fields = epay.pay(number);
    const rejected: Readonly<Record<string, string>>[] = [
      { ...fields, money: '0.01' },
      { ...fields, sign: '' },
      { ...fields, extra: '1' },
      signEpay(fields, ''),
      { ...fields, sign_type: 'RSA' },
      signEpay({ ...fields, pid: '1002' }),
      signEpay({ ...fields, money: '71.99' }),
      signEpay({ ...fields, money: '72' + '.001' }),
      signEpay({ ...fields, out_trade_no: 'none' }),
    ];
    for (const one of rejected) expect(await sendEpay(one), JSON.stringify(one)).toEqual({ status: 400, text: 'fail' });
    expect((await sendEpay(signEpay({ ...fields, trade_status: 'WAIT_BUYER_PAY' }))).status).toBe(200);
    expect(await fetch(`${scene.callbackUrl('epay')}?${new URLSearchParams(fields)}&money=72.00`)).toMatchObject({
      status: 400,
    });
    expect(await balance()).toBe(before);
    expect((await order(number)).state).toBe('pending');
  });

  it('does not credit a second payment of an order, or an order of another provider', async () => {
    const { number, url } = await buy(client, { provider: 'epay' });
    await fetch(url);
    await sendEpay(epay.pay(number));
    const before = await balance();
    expect((await sendEpay(epay.pay(number, { trade_no: 'second' }))).text).toBe('success');
    const { number: card } = await buy(client);
    await sendEpay(signEpay({ ...epay.pay(number), out_trade_no: card, money: '10.00' }));
    expect(await balance()).toBe(before);
    expect(await verdicts(number)).toEqual(['second_payment', 'credited']);
    expect(await verdicts(card)).toEqual(['wrong_provider']);
  });
});
