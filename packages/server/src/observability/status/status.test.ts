import { statusApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

describe('gateway status', () => {
  test('a new gateway returns the defaults', async () => {
    const status = await app.client().call(statusApi.status);
    expect(status).toEqual({
      version: '0.0.0-test',
      start_time: expect.any(Number),
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
      extensions: true,
      passkey_login: false,
      oidc: false,
      oidc_client_id: '',
      wechat_login: false,
      wechat_qrcode: '',
      organization_creation: true,
      sso_login: false,
      turnstile_check: false,
      turnstile_site_key: '',
    });
    expect(Math.abs(status.start_time - nowInSeconds())).toBeLessThan(60);
  });

  test('returns the stored options', async () => {
    await using other = await startTestApp({
      options: {
        SystemName: 'Sluice',
        Theme: 'dark',
        QuotaPerUnit: '1000.5',
        DisplayInCurrencyEnabled: 'false',
        TurnstileSiteKey: 'site',
        TurnstileSecretKey: 'never-shown',
        ServerAddress: 'https://stored.example',
      },
      config: { publicUrl: 'https://environment.example' },
    });
    const { body, text } = await other.client().send(statusApi.status);
    expect(body).toMatchObject({
      data: {
        system_name: 'Sluice',
        theme: 'dark',
        quota_per_unit: 1000.5,
        display_in_currency: false,
        turnstile_site_key: 'site',
        server_address: 'https://stored.example',
      },
    });
    expect(text).not.toContain('never-shown');
  });

  test('uses the public URL of the environment if none is stored', async () => {
    await using other = await startTestApp({ config: { publicUrl: 'https://environment.example' } });
    expect(await other.client().call(statusApi.status)).toMatchObject({
      server_address: 'https://environment.example',
    });
  });

  test('uses the default for a stored value that no longer parses', async () => {
    await using other = await startTestApp({ options: { QuotaPerUnit: 'many', Theme: 'berry', SystemName: 'Kept' } });
    const expected = { quota_per_unit: 500_000, theme: 'default', system_name: 'Kept' };
    expect(await other.client().call(statusApi.status)).toMatchObject(expected);
  });
});

test('notice, about and home page content are returned as stored', async () => {
  await using other = await startTestApp({
    options: { Notice: 'n', About: '# About', HomePageContent: 'https://x.example' },
  });
  const client = other.client();
  expect(await client.call(statusApi.notice)).toBe('n');
  expect(await client.call(statusApi.about)).toBe('# About');
  expect(await client.call(statusApi.homePageContent)).toBe('https://x.example');
});
