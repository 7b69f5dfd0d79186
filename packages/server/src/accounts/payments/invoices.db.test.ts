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

  it('get a credit note for each refund, numbered without gaps, whose taxes add up to the invoice', async () => {
    await setOption('CreditNoteNumberPrefix', 'CN-2026');
    const { client } = await scene.signedInUser();
    const bought = [(await buy(client)).number, (await buy(client)).number];
    for (const number of bought) await sendStripe(stripe.pay(number));
    await Promise.all(bought.flatMap((number) => [1, 2].map(() => sendStripe(stripe.refund(number, 333)))));
    const [first = '', second = ''] = bought;
    for (const amount of [500, 333, 1000]) await sendStripe(stripe.refund(first, amount));
    const own = await client.call(paymentApi.ownOne, { params: { number: first } });
    expect(own.credit_notes.map(({ amount, net, tax }) => [amount, net, tax])).toEqual([
      [333, 280, 53],
      [167, 140, 27],
      [500, 420, 80],
    ]);
    const other = await client.call(paymentApi.ownOne, { params: { number: second } });
    const numbers = [...own.credit_notes, ...other.credit_notes].map(({ number }) => number);
    expect(numbers.sort()).toEqual([1, 2, 3, 4].map((seq) => `CN-2026-00000${seq}`));
    expect((await order(first)).invoice_seq).toBeGreaterThan(0);
    for (const keyword of [own.invoice?.number ?? '', 'CN-2026-000004']) {
      const [listed, ...rest] = await root.call(orderApi.list, { query: { keyword } });
      expect([listed?.number, rest]).toEqual([first, []]);
    }
  });

  it('get a credit note for a lost dispute, and none for an open one', async () => {
    const { client } = await scene.signedInUser();
    const { number } = await buy(client);
    await sendStripe(stripe.pay(number));
    const notes = async () => (await client.call(paymentApi.ownOne, { params: { number } })).credit_notes;
    await sendStripe(stripe.dispute(number, 'created', 'needs_response'));
    expect(await notes()).toEqual([]);
    await sendStripe(stripe.dispute(number, 'closed', 'lost'));
    await sendStripe(stripe.refund(number, 1000));
    expect(await notes()).toMatchObject([{ amount: 1000, tax: 160 }]);
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
