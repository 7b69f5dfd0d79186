import { type OrderProviderName, type OrderState, orderProviders, orderStates } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';

/** States in which a payment may still arrive soon. */
export const isOpenState = (state: OrderState | undefined): boolean => state === 'created' || state === 'pending';

/** Labels of states, providers and payment methods. */
export function useOrderLabels() {
  const { t, label } = useTranslation();
  const methods: Readonly<Record<string, string>> = {
    alipay: t('Alipay'),
    wxpay: t('WeChat Pay'),
    qqpay: t('QQ Wallet'),
    bank: t('Bank card'),
    jdpay: t('JD Pay'),
    paypal: 'PayPal',
    usdt: 'USDT',
  };
  return {
    stateOf: (state: OrderState) => label(orderStates[state].label),
    methodOf: (provider: OrderProviderName, method: string) =>
      method === '' ? label(orderProviders[provider].label) : (methods[method] ?? method),
    providerOf: (provider: OrderProviderName) => label(orderProviders[provider].label),
  };
}
