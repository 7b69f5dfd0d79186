import { expect, test } from 'vitest';
import { status } from './status.ts';

test.each(['', '  '])('[S1.21] an empty system name %j falls back to the default', (system_name) => {
  expect(status.parse({ system_name }).system_name).toBe('Headgate');
  expect(status.parse({ system_name: 'My gate' }).system_name).toBe('My gate');
});

test('every status field has a default', () => {
  expect(status.parse({})).toEqual({
    version: '',
    start_time: 0,
    system_name: 'Headgate',
    logo: '',
    footer_html: '',
    theme: 'default',
    preset: 'everything',
    server_address: '',
    top_up_link: '',
    chat_link: '',
    status_page: false,
    model_catalog: false,
    quota_per_unit: 500_000,
    display_in_currency: true,
    password_max_length: 20,
    email_verification: false,
    github_oauth: false,
    github_client_id: '',
    lark_client_id: '',
    oidc: false,
    oidc_client_id: '',
    extensions: false,
    passkey_login: false,
    wechat_login: false,
    wechat_qrcode: '',
    organization_creation: true,
    sso_login: false,
    turnstile_check: false,
    turnstile_site_key: '',
  });
});

test.each([
  { quota_per_unit: 0 },
  { quota_per_unit: -1 },
  { quota_per_unit: 'x' },
  { theme: 'berry' },
  { display_in_currency: 1 },
])('falls back to the default for the invalid value %j', (odd) => {
  expect(status.parse(odd)).toMatchObject({ quota_per_unit: 500_000, theme: 'default', display_in_currency: true });
});
