import { callbackVerdicts, currencyNames, orderStates } from '@headgate/contract';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const named = (names: object) =>
  Object.keys(names)
    .map((name) => `\`${name}\``)
    .join(', ');

const smallest = 'in the smallest unit of the currency';

export const paymentResources: ResourceTexts<'payment' | 'order'> = {
  payment: {
    tag: 'Payments',
    params: { number: 'Number of the order.' },
    operations: {
      offers: {
        summary: 'List payment offers',
        description:
          'Returns the payment providers that accept orders, with the amounts on offer and their prices for you.',
        data: 'The offers, one per provider.',
      },
      create: {
        summary: 'Create an order',
        description:
          'Creates an order of quota and returns the page to pay on. The quota is added when the provider confirms the payment.',
        data: 'The order number and the page to pay on.',
        dataExample: { number: '202611195f0c2a7be91d4c3388aa', url: 'https://checkout.stripe.com/c/pay/cs_test' },
        bodyExample: { provider: 'stripe', cents: 1000 },
      },
      own: { summary: 'List your orders', description: 'Returns your orders, newest first.', data: 'The orders.' },
      ownOne: { summary: 'Get your order', description: 'Returns one of your orders.' },
      checkOwn: {
        summary: 'Check your order',
        description:
          'Queries the payment provider about an unpaid order, at most every 10 seconds, and returns the order.',
      },
    },
  },
  order: {
    tag: 'Payments',
    params: { id: 'ID of the order.' },
    operations: {
      list: {
        summary: 'List orders',
        description: 'Returns the orders of all accounts, newest first.',
        data: 'The orders.',
        query: {
          keyword: 'Matches an order number, a payment ID or a part of the username. Empty: all orders.',
          state: `Only orders in this state: ${named(orderStates)}.`,
          provider: 'Only orders of this payment provider: `stripe`, `epay` or `imported`.',
          account_id: 'Only orders of this account.',
        },
      },
      get: {
        summary: 'Get an order',
        description: 'Returns an order with its callbacks, newest first.',
      },
      callbacks: {
        summary: 'List payment callbacks',
        description: 'Returns the callbacks of payment providers, including rejected ones, newest first.',
        data: 'The callbacks.',
      },
      check: {
        summary: 'Check an order',
        description: 'Queries the payment provider about an order now, applies the response and returns the order.',
      },
      refund: {
        summary: 'Record a refund',
        description:
          'Records a refund that was made at the payment provider and subtracts its quota from the balance, which may become negative. Refunds at Stripe are recorded automatically.',
        bodyExample: { amount: 1000, note: 'Refunded on request' },
      },
      selfTest: {
        summary: 'Test a callback URL',
        description:
          'Requests the callback URL of a payment provider at the server address and checks that this gateway responds.',
      },
    },
  },
};

const invoiceExample = {
  number: 'RE-2026-000017',
  seller: 'Example GmbH',
  address: 'Street 1, 10115 Berlin',
  tax_number: 'DE123456789',
  tax_label: 'VAT',
  tax_rate: 19,
  net: 840,
  tax: 160,
};

export const paymentSchemas: SchemaTexts = {
  PaymentOffer: {
    description: 'Amounts of quota on offer at a payment provider.',
    fields: {
      provider: 'Payment provider: `stripe`, `epay` or `imported`.',
      methods: 'Payment methods to choose from. Empty: chosen on the page of the provider.',
      currency: `Currency: ${currencyNames.map((name) => `\`${name}\``).join(', ')}.`,
      amounts: 'Amounts on offer.',
    },
    example: { provider: 'stripe', methods: [], currency: 'usd' },
  },
  OfferedAmount: {
    description: 'An amount of quota with its price.',
    fields: {
      cents: 'Cents of quota, without the bonus. Identifies the amount.',
      bonus: 'Bonus in percent.',
      amount: `Price, ${smallest}.`,
      quota: 'Points to add, including the bonus.',
      bonus_quota: 'Points of the bonus.',
    },
    example: { cents: 1000, bonus: 10, amount: 1000, quota: 5_500_000, bonus_quota: 500_000 },
  },
  OrderCreateRequest: {
    description: 'A new order.',
    fields: {
      provider: 'Payment provider: `stripe`, `epay` or `imported`.',
      method: 'Payment method, if the offer has methods.',
      cents: 'Cents of quota: one of the offered amounts.',
    },
    example: { provider: 'stripe', method: '', cents: 1000 },
  },
  CreatedOrder: {
    description: 'A new order and the page to pay on.',
    fields: { number: 'Number of the order.', url: 'Page of the payment provider.' },
    example: { number: '202611195f0c2a7be91d4c3388aa', url: 'https://checkout.stripe.com/c/pay/cs_test' },
  },
  OwnOrder: {
    description: 'An order of quota or a plan.',
    fields: {
      number: 'Number of the order, unique and unguessable.',
      provider: 'Payment provider: `stripe`, `epay` or `imported`.',
      method: 'Payment method. Empty: chosen on the page of the provider.',
      currency: 'Currency, ISO 4217 in lower case.',
      amount: `Price, ${smallest}.`,
      quota: 'Points to add, including the bonus.',
      bonus_quota: 'Points of the bonus.',
      plan_name: 'Name of the plan that the order buys. Empty: quota.',
      state: `State: ${named(orderStates)}.`,
      refunded_amount: `Refunded amount, ${smallest}.`,
      credited_quota: 'Points that the order has added to the balance so far.',
      paid_time: 'Time of the payment, Unix seconds. 0: not paid.',
      invoice: 'Seller, tax and invoice number at the time of crediting. Null: none.',
      credit_notes: 'Credit notes of the invoice, oldest first.',
    },
    example: {
      number: '202611195f0c2a7be91d4c3388aa',
      provider: 'stripe',
      method: '',
      currency: 'usd',
      amount: 1000,
      quota: 5_000_000,
      bonus_quota: 0,
      plan_name: '',
      state: 'credited',
      refunded_amount: 0,
      credited_quota: 5_000_000,
      paid_time: 1_767_312_000,
      invoice: invoiceExample,
      credit_notes: [],
    },
  },
  StatementDocument: {
    description: 'Number, seller and taxes of a statement.',
    fields: {
      number: 'Number of the statement, from month and account. Empty: numbering is off, or not a past calendar month.',
      seller: 'Name of the seller.',
      address: 'Address of the seller.',
      tax_number: 'Tax number of the seller.',
      taxes: 'Sums of the invoices and credit notes of the period, by currency and tax.',
    },
    example: {
      number: 'ST-2026-10-000017',
      seller: invoiceExample.seller,
      address: invoiceExample.address,
      tax_number: invoiceExample.tax_number,
    },
  },
  StatementTax: {
    description: 'Sums of invoices and credit notes with the same currency and tax.',
    fields: {
      currency: 'Currency of the amounts.',
      tax_label: 'Name of the tax.',
      tax_rate: 'Tax in percent.',
      paid: `Prices of the invoices, ${smallest}.`,
      refunded: `Amounts of the credit notes, ${smallest}.`,
      net: `\`paid\` − \`refunded\` without the tax, ${smallest}.`,
      tax: `Included tax, ${smallest}.`,
    },
    example: { currency: 'eur', tax_label: 'VAT', tax_rate: 19, paid: 1000, refunded: 0, net: 840, tax: 160 },
  },
  CreditNote: {
    description: 'Corrects the invoice of an order after a refund or a lost dispute.',
    fields: {
      number: 'Number of the credit note. Empty: invoices are not numbered.',
      amount: `Refunded part of the price, ${smallest}.`,
      net: `Amount without tax, ${smallest}.`,
      tax: `Tax, ${smallest}. \`net\` and \`tax\` add up to the amount.`,
    },
    example: { number: 'CN-000003', amount: 500, net: 420, tax: 80, created_time: 1_767_400_000 },
  },
  Invoice: {
    description: 'Seller, tax and invoice number of an order.',
    fields: {
      number: 'Invoice number. Empty: invoices are not numbered.',
      seller: 'Name of the seller.',
      address: 'Address of the seller.',
      tax_number: 'Tax number of the seller.',
      tax_label: 'Name of the tax.',
      tax_rate: 'Tax rate in percent.',
      net: `Price without tax, ${smallest}.`,
      tax: `Tax, ${smallest}. \`net\` and \`tax\` add up to the price.`,
    },
    example: invoiceExample,
  },
  Order: {
    description: 'An order of quota or a plan.',
    like: 'OwnOrder',
    fields: {
      account_id: 'ID of the account that receives the quota.',
      username: 'Name of the account. Empty: it was deleted.',
      created_by: 'ID of the user who created the order.',
      provider_id: 'ID of the checkout at the provider.',
      payment_id: 'ID of the payment at the provider. Empty: not paid.',
      disputed_amount: `Disputed amount, ${smallest}.`,
      note: 'Note of the last recorded refund.',
      checked_time: 'Time of the last query to the provider, Unix seconds. 0: never.',
    },
    example: {
      account_id: 7,
      username: 'alice',
      created_by: 7,
      provider_id: 'cs_test_a1',
      payment_id: 'pi_3Qx',
      disputed_amount: 0,
      note: '',
      checked_time: 0,
    },
  },
  OrderDetails: {
    description: 'An order with its callbacks.',
    fields: { order: 'The order.', callbacks: 'Callbacks and queries, newest first.' },
  },
  PaymentCallback: {
    description: 'A callback of a payment provider, or its response to a query.',
    fields: {
      provider: 'Payment provider: `stripe`, `epay` or `imported`.',
      order_id: 'ID of the order. 0: no known order.',
      number: 'Order number in the callback.',
      source: '`callback`: sent by the provider. `query`: response to a query. `admin`: recorded by an admin.',
      event: 'Type of the event at the provider.',
      payment_id: 'ID of the payment at the provider.',
      amount: `Amount, ${smallest}.`,
      currency: 'Currency, ISO 4217 in lower case.',
      verdict: `Result: ${named(callbackVerdicts)}.`,
      detail: 'Reason for the verdict. Empty: none.',
    },
    example: {
      provider: 'stripe',
      order_id: 12,
      number: '202611195f0c2a7be91d4c3388aa',
      source: 'callback',
      event: 'checkout.session.completed',
      payment_id: 'pi_3Qx',
      amount: 1000,
      currency: 'usd',
      verdict: 'credited',
      detail: '',
    },
  },
  RefundRequest: {
    description: 'A refund that was made at the payment provider.',
    fields: {
      amount: `Total refunded amount of the order so far, ${smallest}.`,
      note: 'Reason, at most 500 characters.',
    },
    example: { amount: 1000, note: 'Refunded on request' },
  },
  CallbackTestRequest: {
    description: 'The callback URL to test.',
    fields: { provider: 'Payment provider: `stripe`, `epay` or `imported`.' },
    example: { provider: 'stripe' },
  },
  CallbackTest: {
    description: 'Result of a test of a callback URL.',
    fields: {
      ok: 'True: this gateway responds at the URL.',
      url: 'Callback URL.',
      reason: 'Why the test failed. Empty: it passed.',
    },
    example: { ok: true, url: 'https://gateway.example.com/api/payment/callback/stripe', reason: '' },
  },
};
