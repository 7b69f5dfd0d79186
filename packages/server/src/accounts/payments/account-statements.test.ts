import { orderApi, organizationApi, organizationUsageApi, statementApi } from '@headgate/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const options = {
  InvoiceSeller: 'Example GmbH',
  InvoiceAddress: 'Street 1',
  InvoiceTaxNumber: 'DE1',
  InvoiceTaxLabel: 'MwSt.',
  InvoiceTaxRate: '19',
  InvoiceNumbersEnabled: 'true',
};
const scene = await usePayments({ options });
const { app, stripe, clock, root, buy, order, sendStripe, setOption } = scene;

afterAll(() => expectBalancedLedger(app.database));

const seller = { seller: 'Example GmbH', address: 'Street 1', tax_number: 'DE1' };
const around = (time: number) => ({ start_timestamp: time - 60, end_timestamp: time + 60 });
/** December 2024 in a time zone eight hours ahead of UTC. */
const month = {
  start_timestamp: Date.UTC(2024, 10, 30, 16) / 1000,
  end_timestamp: Date.UTC(2024, 11, 31, 16) / 1000 - 1,
};
const padded = (id: number) => String(id).padStart(6, '0');

describe('statements while invoices are enabled', () => {
  it('show the seller, and add up the taxes of the invoices and credit notes of the period', async () => {
    const { client } = await scene.signedInUser();
    const pay = async () => {
      const { number } = await buy(client);
      await sendStripe(stripe.pay(number));
      return number;
    };
    const first = await pay();
    await pay();
    await sendStripe(stripe.refund(first, 333));
    await setOption('InvoiceTaxRate', '7');
    await pay();
    await setOption('InvoiceTaxRate', '0');
    await pay();
    const paidAt = clock.seconds;
    clock.seconds += 3600;
    const { id } = await order(first);
    await root.call(orderApi.refund, { params: { id }, body: { amount: 1000, note: 'later' } });
    await setOption('InvoiceTaxRate', '19');
    const documentAt = async (time: number) => (await client.call(statementApi.own, { query: around(time) })).document;
    const kind = { currency: 'usd', tax_label: 'MwSt.', tax_rate: 19 };
    expect(await documentAt(paidAt)).toEqual({
      ...seller,
      number: '',
      taxes: [
        { ...kind, paid: 2000, refunded: 333, net: 1400, tax: 267 },
        { ...kind, tax_rate: 7, paid: 1000, refunded: 0, net: 935, tax: 65 },
      ],
    });
    expect((await documentAt(clock.seconds))?.taxes).toEqual([
      { ...kind, paid: 0, refunded: 667, net: -560, tax: -107 },
    ]);
  });

  it('keep the seller of their invoices', async () => {
    const { client } = await scene.signedInUser();
    const { number } = await buy(client);
    await sendStripe(stripe.pay(number, clock.seconds));
    await setOption('InvoiceSeller', 'Successor GmbH');
    const sellerAt = async (time: number) =>
      (await client.call(statementApi.own, { query: around(time) })).document?.seller;
    expect([await sellerAt(clock.seconds), await sellerAt(clock.seconds - 7200)]).toEqual([
      'Example GmbH',
      'Successor GmbH',
    ]);
    await setOption('InvoiceSeller', 'Example GmbH');
  });

  it('have a number of the month and the account, for users, admins and organizations', async () => {
    const { user, client } = await scene.signedInUser();
    const expected = { ...seller, number: `ST-2024-12-${padded(user.id)}`, taxes: [] };
    expect((await client.call(statementApi.own, { query: month })).document).toEqual(expected);
    const seen = await root.call(statementApi.read, { params: { id: user.id }, query: month });
    expect(seen.document).toEqual(expected);
    const { id } = await client.call(organizationApi.create, { body: { name: 'Buyers' } });
    const ofOrganization = (query: object = {}) =>
      client.call(organizationUsageApi.statement, { params: { id }, query: { ...month, ...query } });
    expect((await ofOrganization()).document?.number).toBe(`ST-2024-12-${padded(id)}`);
    expect((await ofOrganization({ member_id: user.id })).document).toBeNull();
  });

  it.each([
    ['of a part of a month', { ...month, end_timestamp: month.end_timestamp - 86_400 }],
    ['of two months', { ...month, end_timestamp: month.end_timestamp + 31 * 86_400 }],
  ])('have no number if they are %s', async (_, query) => {
    const { client } = await scene.signedInUser();
    expect((await client.call(statementApi.own, { query })).document).toMatchObject({ number: '' });
  });

  it('have no number before the month is over', async () => {
    const { client } = await scene.signedInUser();
    const now = new Date(clock.seconds * 1000);
    const bound = (index: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index) / 1000;
    const query = { start_timestamp: bound(0), end_timestamp: bound(1) - 1 };
    expect((await client.call(statementApi.own, { query })).document).toMatchObject({ number: '' });
    clock.seconds = bound(1);
    expect((await client.call(statementApi.own, { query })).document?.number).toMatch(/^ST-\d{4}-\d{2}-\d{6}$/);
  });
});

it('statements have no seller while no seller, tax or numbering is configured', async () => {
  for (const key of Object.keys(options).slice(0, 3)) await setOption(key, '');
  await setOption('InvoiceTaxRate', '0');
  await setOption('InvoiceNumbersEnabled', 'false');
  const { client } = await scene.signedInUser();
  expect((await client.call(statementApi.own, { query: month })).document).toBeNull();
});
