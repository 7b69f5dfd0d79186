import * as z from 'zod/mini';
import { passwordLength, productName } from '../catalog/limits.ts';
import { consolePresets } from '../settings/console-preset.ts';
import type { EndpointTable } from '../wire/endpoint.ts';

/**
 * Public settings of the gateway. Every field has a default, so the console works with servers that send fewer
 * fields.
 */
export const status = z.object({
  version: z._default(z.string(), ''),
  start_time: z._default(z.int(), 0),
  /** True if the server has endpoints and partial updates beyond the specification. */
  extensions: z._default(z.boolean(), false),
  system_name: z._default(
    z.string().check(z.overwrite((name) => (name.trim() === '' ? productName : name))),
    productName,
  ),
  logo: z._default(z.string(), ''),
  footer_html: z._default(z.string(), ''),
  theme: z.catch(z.enum(['default', 'light', 'dark']), 'default'),
  /** Parts of the console that are hidden. */
  preset: z.catch(z.enum(consolePresets), 'everything'),
  server_address: z._default(z.string(), ''),
  top_up_link: z._default(z.string(), ''),
  chat_link: z._default(z.string(), ''),
  /** True if the public status page is enabled. */
  status_page: z._default(z.boolean(), false),
  /** True if visitors can see the model catalog. */
  model_catalog: z._default(z.boolean(), false),
  quota_per_unit: z.catch(z.number().check(z.positive()), 500_000),
  display_in_currency: z.catch(z.boolean(), true),
  password_max_length: z.catch(z.int().check(z.minimum(passwordLength.min)), passwordLength.max),
  email_verification: z._default(z.boolean(), false),
  github_oauth: z._default(z.boolean(), false),
  github_client_id: z._default(z.string(), ''),
  lark_client_id: z._default(z.string(), ''),
  passkey_login: z._default(z.boolean(), false),
  oidc: z._default(z.boolean(), false),
  oidc_client_id: z._default(z.string(), ''),
  wechat_login: z._default(z.boolean(), false),
  wechat_qrcode: z._default(z.string(), ''),
  /** True if users can create organizations. */
  organization_creation: z._default(z.boolean(), true),
  /** True if an organization has a sign-in provider. */
  sso_login: z._default(z.boolean(), false),
  turnstile_check: z._default(z.boolean(), false),
  turnstile_site_key: z._default(z.string(), ''),
});
export type Status = z.output<typeof status>;

const text = z.string();

export const statusApi = {
  status: {
    method: 'GET',
    path: '/api/status',
    access: 'visitor',
    reply: status,
  },
  notice: { method: 'GET', path: '/api/notice', access: 'visitor', reply: text },
  about: { method: 'GET', path: '/api/about', access: 'visitor', reply: text },
  homePageContent: {
    method: 'GET',
    path: '/api/home_page_content',
    access: 'visitor',
    reply: text,
  },
} as const satisfies EndpointTable;
