import { describe, expect, test } from 'vitest';
import { role } from '../accounts/roles.ts';
import { canChangeOption, isOptionKey, optionKeys, optionRow } from './options.ts';

/** Options that only a super admin may change; docs/settings.md gives the reasons. */
const ofRoot = [
  'ServerAddress',
  'PasswordLoginEnabled',
  'GitHubOAuthEnabled',
  'WeChatAuthEnabled',
  'OidcEnabled',
  'TurnstileCheckEnabled',
  'AdminSecondFactorEnabled',
  'SMTPServer',
  'SMTPPort',
  'SMTPAccount',
  'SMTPFrom',
  'SMTPToken',
  'GitHubClientId',
  'GitHubClientSecret',
  'LarkClientId',
  'LarkClientSecret',
  'WeChatServerAddress',
  'WeChatServerToken',
  'WeChatAccountQRCodeImageURL',
  'OidcClientId',
  'OidcWellKnown',
  'OidcClientSecret',
  'TurnstileSiteKey',
  'TurnstileSecretKey',
  'ChatLink',
  'KeepBodies',
  'KeptBodiesMegabytes',
  'UnpricedFieldsAllowed',
  'StripeEnabled',
  'StripeSecretKey',
  'StripeWebhookSecret',
  'StripeCurrency',
  'StripeUnitPrice',
  'StripeInvoiceEnabled',
  'EpayEnabled',
  'EpayAddress',
  'EpayMerchantId',
  'EpayMerchantKey',
  'EpayMethods',
  'EpayUnitPrice',
  'InvoiceSeller',
  'InvoiceAddress',
  'InvoiceTaxNumber',
  'InvoiceTaxLabel',
  'InvoiceTaxRate',
  'InvoiceNumbersEnabled',
  'InvoiceNumberPrefix',
  'CreditNoteNumberPrefix',
];

describe('[A67.1] role required to change an option', () => {
  test('[A67.1] only the listed options require root', () => {
    expect(optionKeys.filter((key) => optionRow(key).changedBy === 'root')).toEqual(ofRoot);
  });

  test.each(optionKeys)('[A67.1] the required role is enforced for %s', (key) => {
    const isOfRoot = ofRoot.includes(key);
    expect(canChangeOption({ role: role.common }, key)).toBe(false);
    expect(canChangeOption({ role: role.admin }, key)).toBe(!isOfRoot);
    expect(canChangeOption({ role: role.root }, key)).toBe(true);
  });

  test('[A67.1] a secret and the address to which it is sent require the same role', () => {
    for (const key of optionKeys) {
      for (const address of (optionRow(key).sentTo ?? []).filter(isOptionKey))
        expect(optionRow(address).changedBy, `${key} and ${address}`).toBe(optionRow(key).changedBy);
    }
  });
});
