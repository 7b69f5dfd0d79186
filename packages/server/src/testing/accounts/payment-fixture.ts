import { optionApi, orderApi, type PaymentProviderName, paymentApi } from '@headgate/contract';
import {
  type ApiClient,
  deliverStripe,
  epayMerchant,
  notifyEpay,
  type SignedEvent,
  StubEpay,
  StubStripe,
  stripeSecrets,
} from '@headgate/testkit';
import { afterAll } from 'vitest';
import { type TestApp, type TestAppOptions, useTestApp } from '../test-app.ts';
import { accountsOf } from './accounts.ts';

/** Fake clock of the app, in Unix seconds. */
class TestClock {
  seconds = Math.floor(Date.now() / 1000);

  readonly now = (): number => this.seconds;
}

export const paymentOptions = (epayUrl: string): TestAppOptions['options'] => ({
  ServerAddress: 'https://gateway.example.com',
  TopUpAmounts: '5, 10, 20 +10%',
  StripeEnabled: 'true',
  StripeSecretKey: stripeSecrets.key,
  StripeWebhookSecret: stripeSecrets.webhook,
  EpayEnabled: 'true',
  EpayAddress: epayUrl,
  EpayMerchantId: epayMerchant.id,
  EpayMerchantKey: epayMerchant.key,
  EpayMethods: 'alipay,wxpay',
});

/** An app with a fake Stripe and a fake Epay, and the steps of a purchase. */
export async function usePayments(options: TestAppOptions = {}) {
  const [stripe, epay] = [await StubStripe.start(), await StubEpay.start()];
  const clock = new TestClock();
  const app = await useTestApp({
    ...options,
    config: { providerUrls: { stripe: stripe.url } },
    paymentTiming: { now: clock.now, everyMs: 20 },
    options: { ...paymentOptions(epay.url), ...options.options },
  });
  afterAll(async () => {
    await Promise.all([stripe.close(), epay.close()]);
  });
  const { rowOf, logsOf, signedInUser } = accountsOf(app);
  const root = await app.as('root');
  const callbackUrl = (provider: PaymentProviderName) => `${app.url}/api/payment/callback/${provider}`;
  return {
    app,
    stripe,
    epay,
    clock,
    root,
    rowOf,
    logsOf,
    signedInUser,
    callbackUrl,
    order: (number: string) => orderOf(app, number),
    callbacksOf: async (number: string) => {
      const { id } = await orderOf(app, number);
      return (await root.call(orderApi.get, { params: { id } })).callbacks;
    },
    buy: (client: ApiClient, given: { provider?: PaymentProviderName; cents?: number } = {}) => buy(client, given),
    openEpay: (url: string) => fetch(url),
    sendStripe: (event: SignedEvent) => deliverStripe(callbackUrl('stripe'), event),
    sendEpay: (fields: Readonly<Record<string, string>>, method?: 'GET' | 'POST') =>
      notifyEpay(callbackUrl('epay'), fields, method),
    setOption: (key: string, value: string) => root.call(optionApi.update, { body: { key, value } }),
  };
}

const orderOf = ({ database }: TestApp, number: string) =>
  database.selectFrom('orders').selectAll().where('number', '=', number).executeTakeFirstOrThrow();

function buy(
  client: ApiClient,
  { provider = 'stripe', cents = 1000 }: { provider?: PaymentProviderName; cents?: number },
) {
  const method = provider === 'epay' ? 'alipay' : '';
  return client.call(paymentApi.create, { body: { provider, method, cents } });
}
