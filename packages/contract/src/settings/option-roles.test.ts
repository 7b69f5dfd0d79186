import { describe, expect, test } from 'vitest';
import { role } from '../accounts/roles.ts';
import { isOptionKey, mayChangeOption, optionKeys, optionRow } from './options.ts';

/** Options that only a super admin changes, decided one by one: docs/settings.md says why. */
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
];

describe('[A67.1] the role that may change an option', () => {
  test('is root for exactly the options that were decided so', () => {
    expect(optionKeys.filter((key) => optionRow(key).changedBy === 'root')).toEqual(ofRoot);
  });

  test.each(optionKeys)('is respected for %s', (key) => {
    const isOfRoot = ofRoot.includes(key);
    expect(mayChangeOption({ role: role.common }, key)).toBe(false);
    expect(mayChangeOption({ role: role.admin }, key)).toBe(!isOfRoot);
    expect(mayChangeOption({ role: role.root }, key)).toBe(true);
  });

  test('is the same for a secret and for the address that it is sent to', () => {
    for (const key of optionKeys) {
      for (const address of (optionRow(key).sentTo ?? []).filter(isOptionKey))
        expect(optionRow(address).changedBy, `${key} and ${address}`).toBe(optionRow(key).changedBy);
    }
  });
});
