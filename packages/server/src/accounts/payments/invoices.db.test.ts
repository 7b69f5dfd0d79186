import { orderApi, paymentApi } from '@headgate/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';

const scene = await usePayments({
  options: {
    InvoiceSeller: 'Example GmbH',
    InvoiceAddress: 'Street 1',
    InvoiceTaxNumber: 'DE1',
    InvoiceTaxLabel: 'MwSt.',
    InvoiceTaxRate: '19',
    InvoiceNumbersEnabled: 'true',
    InvoiceNumberPrefix: 'RE-2026-',
  },
});
const { app, stripe, root, buy, order, sendStripe, setOption } = scene;

afterEach(() => expectBalancedLedger(app.database));

type Client = Awaited<ReturnType<typeof scene.signedInUser>>['client'];

const invoiceOf = async (client: Client, number: string) =>
  (await client.call(paymentApi.ownOne, { params: { number } })).invoice;

describe('invoices of orders', () => {
  it('show the seller and tax at the time of crediting, to the user and admins', async () => {
    const { client } = await scene.signedInUser();
    const { number } = await buy(client);
    expect(await invoiceOf(client, number)).toBeNull();
    await sendStripe(stripe.pay(number));
    const expected = {
      number: expect.stringMatching(/^RE-2026-\d{6}$/),
      seller: 'Example GmbH',
      address: 'Street 1',
      tax_number: 'DE1',
      tax_label: 'MwSt.',
      tax_rate: 19,
      net: 840,
      tax: 160,
    };
    const invoice = await invoiceOf(client, number);
    expect(invoice).toEqual(expected);
    await setOption('InvoiceTaxRate', '7');
    const [listed] = await client.call(paymentApi.own, { query: {} });
    const { id } = await order(number);
    const { order: seen } = await root.call(orderApi.get, { params: { id } });
    expect([listed?.invoice, seen.invoice]).toEqual([invoice, invoice]);
    await setOption('InvoiceTaxRate', '19');
  });

  it('are numbered without gaps per prefix, for concurrent payments and repeated callbacks', async () => {
    await setOption('InvoiceNumberPrefix', 'GAPLESS');
    const { client } = await scene.signedInUser();
    const numbers: string[] = [];
    for (let index = 0; index < 6; index += 1) numbers.push((await buy(client)).number);
    const [unpaid = '', ...paid] = numbers;
    await Promise.all(paid.flatMap((number) => [1, 2].map(() => sendStripe(stripe.pay(number)))));
    const invoices = await Promise.all(paid.map(async (number) => (await invoiceOf(client, number))?.number));
    expect(invoices.sort()).toEqual([1, 2, 3, 4, 5].map((seq) => `GAPLESS-00000${seq}`));
    expect(await invoiceOf(client, unpaid)).toBeNull();
    await setOption('InvoiceNumberPrefix', '');
    await sendStripe(stripe.pay(unpaid));
    expect((await invoiceOf(client, unpaid))?.number).toBe('000001');
  });

  it('keep their number after a refund and a dispute that was won', async () => {
    const { client } = await scene.signedInUser();
    const { number } = await buy(client);
    await sendStripe(stripe.pay(number));
    const invoice = await invoiceOf(client, number);
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    await sendStripe(stripe.dispute(number, 'closed', 'won'));
    await sendStripe(stripe.refund(number, 100));
    expect(await invoiceOf(client, number)).toEqual(invoice);
  });

  it('are not created when no seller, tax or numbering is configured', async () => {
    for (const key of ['InvoiceSeller', 'InvoiceAddress', 'InvoiceTaxNumber']) await setOption(key, '');
    await setOption('InvoiceTaxRate', '0');
    await setOption('InvoiceNumbersEnabled', 'false');
    const { client } = await scene.signedInUser();
    const { number } = await buy(client);
    await sendStripe(stripe.pay(number));
    expect(await invoiceOf(client, number)).toBeNull();
  });
});

it.each(['{', '[]', '{"seller":1}'])('lists an order whose stored invoice terms are unreadable: %s', async (terms) => {
  const { client } = await scene.signedInUser();
  const { number } = await buy(client);
  await app.database.updateTable('orders').set({ invoice_terms: terms }).where('number', '=', number).execute();
  const [listed] = await client.call(paymentApi.own, { query: {} });
  expect(listed?.number).toBe(number);
  expect(listed?.invoice).toBeNull();
});
