import { type Access, accessLevels, type Endpoint, fillPath, tokenApi, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { emptyInput, endpoints, nameOf } from '../testing/endpoints.ts';
import { rawRequest } from '../testing/relay/raw-request.ts';
import { rotatedSample } from '../testing/sample.ts';
import { useTestApp } from '../testing/test-app.ts';

/** Required access of every endpoint, maintained by hand: a new endpoint fails here until it is added. */
const decisions: Readonly<Record<string, Access>> = {
  'GET /api/status': 'visitor',
  'GET /api/public_status': 'visitor',
  'GET /api/notice': 'visitor',
  'GET /api/about': 'visitor',
  'GET /api/home_page_content': 'visitor',
  'GET /api/models': 'user',
  'GET /api/models/catalog': 'visitor',
  'GET /api/home': 'admin',
  'GET /api/home/self': 'user',
  'GET /api/usage': 'admin',
  'GET /api/usage/compare': 'admin',
  'GET /api/usage/focus': 'admin',
  'GET /api/prices': 'admin',
  'PUT /api/prices': 'admin',
  'POST /api/prices/compare': 'admin',
  'GET /api/prices/unpriced': 'admin',
  'GET /api/prices/changes': 'admin',
  'GET /api/prices/self': 'user',
  'GET /api/usage/self': 'user',
  'GET /api/usage/tags': 'user',
  'GET /api/limit/': 'admin',
  'GET /api/limit/self': 'user',
  'GET /api/managed/': 'admin',
  'GET /api/limit/:id': 'admin',
  'POST /api/limit/': 'admin',
  'PUT /api/limit/': 'admin',
  'DELETE /api/limit/:id/': 'admin',
  'GET /api/body/self': 'user',
  'PUT /api/body/self': 'user',
  'DELETE /api/body/self/:id': 'user',
  'POST /api/body/self/forget': 'user',
  'POST /api/body/self/read': 'user',
  'DELETE /api/body/self/request/:request_id': 'user',
  'GET /api/body/user/:id': 'admin',
  'PUT /api/body/user/:id': 'admin',
  'DELETE /api/body/user/:id': 'admin',
  'POST /api/body/user/:id/forget': 'admin',
  'POST /api/body/read': 'admin',
  'DELETE /api/body/request/:request_id': 'admin',
  'GET /api/payment/offers': 'user',
  'POST /api/payment/order': 'user',
  'GET /api/payment/order': 'user',
  'GET /api/payment/order/:number': 'user',
  'POST /api/payment/order/:number/check': 'user',
  'GET /api/check_in': 'user',
  'POST /api/check_in': 'user',
  'GET /api/referral/self': 'user',
  'GET /api/referral/self/share': 'user',
  'POST /api/referral/self/transfer': 'user',
  'GET /api/referral/self/payout': 'user',
  'POST /api/referral/self/payout': 'user',
  'GET /api/referral/payout': 'admin',
  'POST /api/referral/payout/:id': 'admin',
  'GET /api/plan/': 'admin',
  'GET /api/plan/:id': 'admin',
  'POST /api/plan/': 'admin',
  'PUT /api/plan/': 'admin',
  'DELETE /api/plan/:id/': 'admin',
  'GET /api/plan/user': 'admin',
  'POST /api/plan/user': 'admin',
  'POST /api/plan/user/:id/remove': 'admin',
  'GET /api/plan/offers': 'user',
  'GET /api/plan/self': 'user',
  'POST /api/plan/buy': 'user',
  'POST /api/plan/self/:id/cancel': 'user',
  'POST /api/plan/self/:id/renewal': 'user',
  'GET /api/order/': 'admin',
  'GET /api/order/:id': 'admin',
  'GET /api/order/callbacks': 'admin',
  'POST /api/order/:id/check': 'admin',
  'POST /api/order/:id/refund': 'admin',
  'POST /api/order/self_test': 'root',
  'GET /api/option/': 'admin',
  'PUT /api/option/': 'admin',
  'GET /api/channel/': 'admin',
  'GET /api/channel/search': 'admin',
  'GET /api/channel/counts': 'admin',
  'GET /api/channel/tags': 'admin',
  'GET /api/channel/models': 'admin',
  'GET /api/channel/:id': 'admin',
  'POST /api/channel/': 'admin',
  'PUT /api/channel/': 'admin',
  'DELETE /api/channel/disabled': 'admin',
  'DELETE /api/channel/:id/': 'admin',
  'GET /api/channel/:id/keys': 'admin',
  'POST /api/channel/:id/keys': 'admin',
  'PUT /api/channel/:id/keys': 'admin',
  'POST /api/channel/:id/keys/remove': 'admin',
  'POST /api/channel/:id/keys/test': 'admin',
  'GET /api/channel/:id/overview': 'admin',
  'GET /api/channel/traffic': 'admin',
  'GET /api/channel/:id/pauses': 'admin',
  'POST /api/channel/:id/pauses/test': 'admin',
  'POST /api/channel/:id/pauses/end': 'admin',
  'POST /api/channel/bulk': 'admin',
  'POST /api/channel/bulk/undo': 'admin',
  'GET /api/channel/test': 'admin',
  'GET /api/channel/test/progress': 'admin',
  'GET /api/channel/test/results': 'admin',
  'POST /api/channel/test/chosen': 'admin',
  'GET /api/channel/test/:id': 'admin',
  'GET /api/channel/update_balance/:id/': 'admin',
  'GET /api/channel/:id/upstream_models': 'admin',
  'POST /api/channel/upstream_models': 'admin',
  'POST /api/channel/:id/preview': 'admin',
  'POST /api/user/login': 'visitor',
  'GET /api/user/logout': 'visitor',
  'POST /api/user/register': 'visitor',
  'GET /api/verification': 'visitor',
  'GET /api/reset_password': 'visitor',
  'POST /api/user/reset': 'visitor',
  'GET /api/oauth/state': 'visitor',
  'GET /api/oauth/github': 'visitor',
  'GET /api/oauth/lark': 'visitor',
  'GET /api/oauth/oidc': 'visitor',
  'GET /api/oauth/wechat': 'visitor',
  'GET /api/oauth/wechat/bind': 'user',
  'GET /api/oauth/email/bind': 'user',
  'DELETE /api/oauth/:binding': 'user',
  'GET /api/user/sign_in_elsewhere': 'root',
  'PUT /api/user/sign_in_elsewhere': 'root',
  'POST /api/mail/test': 'admin',
  'GET /api/log_export/': 'root',
  'GET /api/log_export/:id': 'root',
  'POST /api/log_export/': 'root',
  'PUT /api/log_export/:id': 'root',
  'DELETE /api/log_export/:id': 'root',
  'POST /api/log_export/:id/test': 'root',
  'GET /api/alert/receivers': 'admin',
  'GET /api/alert/receivers/:id': 'admin',
  'POST /api/alert/receivers': 'admin',
  'PUT /api/alert/receivers/:id': 'admin',
  'DELETE /api/alert/receivers/:id': 'admin',
  'POST /api/alert/receivers/:id/test': 'admin',
  'GET /api/alert/rules': 'admin',
  'GET /api/alert/rules/:id': 'admin',
  'POST /api/alert/rules': 'admin',
  'PUT /api/alert/rules/:id': 'admin',
  'DELETE /api/alert/rules/:id': 'admin',
  'GET /api/alert/history': 'admin',
  'POST /api/alert/history/:id/again': 'admin',
  'GET /api/user/self/statement': 'user',
  'GET /api/user/:id/statement': 'admin',
  'GET /api/incident/': 'admin',
  'GET /api/incident/:id': 'admin',
  'POST /api/incident/': 'admin',
  'PUT /api/incident/:id': 'admin',
  'POST /api/incident/:id/updates': 'admin',
  'DELETE /api/incident/:id': 'admin',
  'POST /api/user/login/second': 'visitor',
  'GET /api/user/passkey': 'user',
  'POST /api/user/passkey/begin': 'user',
  'POST /api/user/passkey': 'user',
  'DELETE /api/user/passkey/:passkey': 'user',
  'POST /api/user/login/passkey/begin': 'visitor',
  'POST /api/user/login/passkey': 'visitor',
  'GET /api/user/access_token': 'user',
  'POST /api/user/access_token': 'user',
  'DELETE /api/user/access_token/:id': 'user',
  'GET /api/user/session': 'user',
  'DELETE /api/user/session/:session': 'user',
  'GET /api/user/session/proof': 'user',
  'POST /api/user/session/proof': 'user',
  'GET /api/user/second_factor': 'user',
  'POST /api/user/second_factor/begin': 'user',
  'POST /api/user/second_factor/confirm': 'user',
  'POST /api/user/second_factor/backup_codes': 'user',
  'POST /api/user/second_factor/remove': 'user',
  'DELETE /api/user/:id/second_factor': 'admin',
  'GET /api/user/self': 'user',
  'PUT /api/user/self': 'user',
  'DELETE /api/user/self': 'user',
  'GET /api/user/token': 'user',
  'GET /api/user/aff': 'user',
  'POST /api/user/topup': 'user',
  'GET /api/user/available_models': 'user',
  'GET /api/user/dashboard': 'user',
  'GET /api/user/': 'admin',
  'GET /api/user/search': 'admin',
  'GET /api/user/counts': 'admin',
  'GET /api/user/:id': 'admin',
  'POST /api/token/bulk': 'user',
  'POST /api/token/bulk/undo': 'user',
  'GET /api/routing/rules': 'admin',
  'GET /api/routing/rules/:id': 'admin',
  'POST /api/routing/rules': 'admin',
  'PUT /api/routing/rules': 'admin',
  'DELETE /api/routing/rules/:id': 'admin',
  'GET /api/routing/aliases': 'admin',
  'GET /api/routing/aliases/:id': 'admin',
  'POST /api/routing/aliases': 'admin',
  'PUT /api/routing/aliases': 'admin',
  'DELETE /api/routing/aliases/:id': 'admin',
  'POST /api/routing/explain': 'admin',
  'POST /api/redemption/bulk': 'admin',
  'POST /api/redemption/bulk/undo': 'admin',
  'POST /api/user/bulk': 'admin',
  'POST /api/user/bulk/undo': 'admin',
  'GET /api/user/:id/tokens': 'admin',
  'GET /api/user/:id/limits': 'admin',
  'POST /api/user/:id/tokens': 'admin',
  'POST /api/user/:id/tokens/disable': 'admin',
  'POST /api/user/:id/tokens/enable': 'admin',
  'POST /api/user/:id/tokens/bind': 'admin',
  'GET /api/user/:id/sessions': 'admin',
  'POST /api/user/:id/sessions/end': 'admin',
  'GET /api/user/:id/models': 'admin',
  'POST /api/user/': 'admin',
  'PUT /api/user/': 'admin',
  'POST /api/user/manage': 'admin',
  'DELETE /api/user/:id': 'admin',
  'POST /api/topup': 'admin',
  'GET /api/group/': 'admin',
  'GET /api/subject/': 'admin',
  'GET /api/token/': 'user',
  'GET /api/token/search': 'user',
  'GET /api/token/counts': 'user',
  'GET /api/token/:id': 'user',
  'POST /api/token/': 'user',
  'PUT /api/token/': 'user',
  'POST /api/token/:id/rotate': 'user',
  'POST /api/token/:id/rotate/end': 'user',
  'DELETE /api/token/:id/': 'user',
  'GET /api/redemption/': 'admin',
  'GET /api/redemption/search': 'admin',
  'GET /api/redemption/counts': 'admin',
  'GET /api/redemption/:id': 'admin',
  'POST /api/redemption/': 'admin',
  'PUT /api/redemption/': 'admin',
  'DELETE /api/redemption/:id/': 'admin',
  'GET /api/user/export': 'admin',
  'POST /api/user/export': 'admin',
  'GET /api/token/export': 'user',
  'POST /api/token/export': 'user',
  'GET /api/channel/export': 'admin',
  'POST /api/channel/export': 'admin',
  'GET /api/redemption/export': 'admin',
  'POST /api/redemption/export': 'admin',
  'GET /api/log/': 'admin',
  'GET /api/log/self/': 'user',
  'GET /api/log/export': 'admin',
  'GET /api/log/self/export': 'user',
  'GET /api/log/histogram': 'admin',
  'GET /api/log/self/histogram': 'user',
  'GET /api/log/facets': 'admin',
  'GET /api/log/self/facets': 'user',
  'GET /api/log/entry': 'admin',
  'GET /api/log/self/entry': 'user',
  'GET /api/log/stat': 'admin',
  'GET /api/log/self/stat': 'user',
  'GET /api/log/search': 'admin',
  'GET /api/budget/': 'admin',
  'GET /api/budget/:id': 'admin',
  'POST /api/budget/': 'admin',
  'PUT /api/budget/': 'admin',
  'DELETE /api/budget/:id/': 'admin',
  'POST /api/budget/:id/reset': 'admin',
  'GET /api/budget/self': 'user',
  'GET /api/budget/self/:id': 'user',
  'POST /api/budget/self': 'user',
  'PUT /api/budget/self': 'user',
  'DELETE /api/budget/self/:id/': 'user',
  'POST /api/budget/self/:id/reset': 'user',
  'GET /api/view/': 'user',
  'PUT /api/view/': 'user',
  'DELETE /api/view/': 'user',
  'GET /api/log/suggest': 'admin',
  'GET /api/log/self/suggest': 'user',
  'GET /api/log/failures': 'admin',
  'GET /api/log/self/search': 'user',
  'DELETE /api/log/': 'admin',
  'GET /api/organization/': 'admin',
  'GET /api/organization/self': 'user',
  'GET /api/organization/:id': 'user',
  'POST /api/organization/': 'user',
  'PUT /api/organization/': 'user',
  'DELETE /api/organization/:id/': 'user',
  'POST /api/organization/:id/topup': 'admin',
  'POST /api/organization/:id/transfer': 'user',
  'POST /api/organization/:id/redeem': 'user',
  'GET /api/organization/:id/members': 'user',
  'GET /api/organization/:id/members/:user_id': 'user',
  'PUT /api/organization/:id/members': 'user',
  'DELETE /api/organization/:id/members/:user_id': 'user',
  'POST /api/organization/:id/leave': 'user',
  'POST /api/organization/:id/ownership': 'user',
  'GET /api/organization/:id/invitations': 'user',
  'POST /api/organization/:id/invitations': 'user',
  'POST /api/organization/:id/invitations/:invitation/resend': 'user',
  'DELETE /api/organization/:id/invitations/:invitation': 'user',
  'GET /api/organization/invitation/self': 'user',
  'POST /api/organization/invitation/read': 'user',
  'POST /api/organization/invitation/accept': 'user',
  'POST /api/organization/invitation/decline': 'user',
  'GET /api/organization/:id/tokens': 'user',
  'GET /api/organization/:id/tokens/:token': 'user',
  'POST /api/organization/:id/tokens': 'user',
  'PUT /api/organization/:id/tokens': 'user',
  'POST /api/organization/:id/tokens/:token/rotate': 'user',
  'DELETE /api/organization/:id/tokens/:token': 'user',
  'POST /api/organization/token/:id/payer': 'user',
  'GET /api/organization/:id/budgets': 'user',
  'POST /api/organization/:id/budgets': 'user',
  'PUT /api/organization/:id/budgets': 'user',
  'DELETE /api/organization/:id/budgets/:budget': 'user',
  'GET /api/organization/:id/projects': 'user',
  'GET /api/organization/:id/projects/:project': 'user',
  'POST /api/organization/:id/projects': 'user',
  'PUT /api/organization/:id/projects': 'user',
  'DELETE /api/organization/:id/projects/:project': 'user',
  'GET /api/organization/:id/service_accounts': 'user',
  'POST /api/organization/:id/service_accounts': 'user',
  'DELETE /api/organization/:id/service_accounts/:service_account': 'user',
  'GET /api/organization/:id/scim/tokens': 'user',
  'POST /api/organization/:id/scim/tokens': 'user',
  'DELETE /api/organization/:id/scim/tokens/:scim_token': 'user',
  'GET /api/organization/:id/scim/users': 'user',
  'GET /api/organization/:id/scim/groups': 'user',
  'PUT /api/organization/:id/scim/groups': 'user',
  'GET /api/organization/:id/sso': 'user',
  'PUT /api/organization/:id/sso': 'user',
  'GET /api/organization/:id/sso/providers': 'user',
  'POST /api/organization/:id/sso/providers': 'user',
  'PUT /api/organization/:id/sso/providers': 'user',
  'DELETE /api/organization/:id/sso/providers/:sso_provider': 'user',
  'GET /api/organization/:id/sso/domains': 'user',
  'POST /api/organization/:id/sso/domains': 'user',
  'POST /api/organization/:id/sso/domains/:sso_domain/verify': 'user',
  'POST /api/organization/:id/sso/domains/:sso_domain/confirm': 'admin',
  'DELETE /api/organization/:id/sso/domains/:sso_domain': 'user',
  'GET /api/organization/:id/jwt_issuers': 'user',
  'POST /api/organization/:id/jwt_issuers': 'user',
  'PUT /api/organization/:id/jwt_issuers': 'user',
  'DELETE /api/organization/:id/jwt_issuers/:jwt_issuer': 'user',
  'GET /api/oauth/sso': 'visitor',
  'GET /api/oauth/sso/:id/provider': 'visitor',
  'POST /api/oauth/sso/:id/begin': 'visitor',
  'GET /api/oauth/sso/:id': 'visitor',
  'GET /api/oauth/sso/self': 'user',
  'DELETE /api/oauth/sso/self/:id': 'user',
  'GET /api/organization/:id/logs': 'user',
  'GET /api/organization/:id/logs/export': 'user',
  'GET /api/organization/:id/usage': 'user',
  'GET /api/organization/:id/statement': 'user',
  'GET /api/ledger': 'admin',
  'GET /api/node/': 'admin',
};

const decisionOf = (row: Endpoint) => decisions[nameOf(row)] ?? 'root';
const isAllowed = (caller: Access, needed: Access) => accessLevels.indexOf(caller) >= accessLevels.indexOf(needed);

// Visitors may read the model catalog only if it is public.
const app = await useTestApp({ options: { ModelCatalogEnabled: 'true' } });

test('every endpoint of the contract is listed in this file, and every entry is an endpoint', () => {
  expect(Object.fromEntries(endpoints.map((row) => [nameOf(row), row.access]))).toEqual(decisions);
  expect(endpoints).toHaveLength(Object.keys(decisions).length);
});

const guardedRows = endpoints.filter((row) => decisionOf(row) !== 'visitor');

const sessions = new Map(await Promise.all(accessLevels.map(async (level) => [level, await app.as(level)] as const)));

/** Calls that end their own session or replace its credentials. */
const endsSession = new Set(['GET /api/user/logout', 'DELETE /api/user/self', 'POST /api/user/login']);

const callAs = async (caller: Access, row: Endpoint): Promise<ApiClient> =>
  endsSession.has(nameOf(row)) ? app.as(caller) : (sessions.get(caller) ?? app.client());

test.each(endpoints.map((row) => ({ name: nameOf(row), row })))(
  '[A11.1] $name serves callers with its role or a higher one, and no others',
  async ({ row }) => {
    const needed = decisionOf(row);
    for (const caller of accessLevels) {
      const { status, body } = await (await callAs(caller, row)).send(row, emptyInput(row));
      if (isAllowed(caller, needed)) {
        expect([401, 403], caller).not.toContain(status);
      } else {
        expect(status, caller).toBe(caller === 'visitor' ? 401 : 403);
        expect(body, caller).toEqual({ success: false, message: expect.any(String) });
      }
    }
  },
);

describe('[A11.1 A11.2] tokens in the Authorization header', () => {
  test('a user’s access token is rejected by admin endpoints, and a relay token by all endpoints', async () => {
    const { username, password } = await app.createUser();
    const user = await app.signedIn(username, password);
    const accessToken = await user.call(userApi.makeAccessToken);
    const { key } = await user.call(tokenApi.create, { body: { name: 'relay', unlimited_quota: true } });
    const spellings = [`Bearer sk-${key}`, `sk-${key}`, key];
    for (const [turn, row] of guardedRows.entries()) {
      const send = (authorization: string) =>
        app.client().send(row, { ...emptyInput(row), headers: { authorization } });
      if (decisionOf(row) !== 'user') expect((await send(accessToken)).status, nameOf(row)).toBe(403);
      for (const given of rotatedSample(spellings, turn, 1)) {
        expect((await send(given)).status, nameOf(row)).toBe(401);
      }
    }
  });
});

/** Spellings that proxies, routers and guards may interpret differently. */
const oddSpellings: Readonly<Record<string, (path: string) => string>> = {
  'a trailing slash': (path) => `${path}/`,
  'two trailing slashes': (path) => `${path}//`,
  'a doubled first slash': (path) => `/${path}`,
  'a doubled inner slash': (path) => path.replace('/api/', '/api//'),
  'upper case': (path) => path.toUpperCase(),
  'an encoded letter': (path) => path.replace('/api/', '/%61pi/'),
  'an encoded slash': (path) => path.replace('/api/', '/api%2f'),
  'a dot segment': (path) => path.replace('/api/', '/api/./'),
  'an encoded dot segment': (path) => path.replace('/api/', '/api/%2e/'),
  'a way back': (path) => path.replace('/api/', '/api/status/../'),
  'an encoded way back': (path) => path.replace('/api/', '/api/status/%2e%2e/'),
  'an encoded way back and slash': (path) => path.replace('/api/', '/api/status%2f%2e%2e%2f'),
  'a path parameter': (path) => `${path};x=1`,
  'a path parameter in the middle': (path) => path.replace('/api/', '/api;x=1/'),
  'a visitor path as parameter': (path) => `${path};/api/status`,
  'an encoded question mark': (path) => `${path}%3f/api/status`,
  'an encoded null': (path) => `${path}%00`,
  'a suffix': (path) => `${path}.json`,
  'an absolute address': (path) => `http://127.0.0.1${path}`,
};

const misleadingHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'x-original-url': '/api/status' },
  { 'x-rewrite-url': '/api/status' },
  { 'x-forwarded-path': '/api/status' },
  { 'x-http-method-override': 'OPTIONS' },
  { 'x-method-override': 'OPTIONS' },
];

/** A spelling without a route returns 404. */
const atLeast400 = (status: number) => status >= 400;
const isForbidden = (status: number, caller: Access) => status === (caller === 'visitor' ? 401 : 403);

const tooLow = (needed: Access): readonly Access[] => accessLevels.filter((caller) => !isAllowed(caller, needed));
const guarded = guardedRows.map((row, turn) => ({ name: nameOf(row), row, turn }));

const cookieOf = (client: ApiClient): Record<string, string> => {
  const cookie = client.cookies.headerFor(new URL(client.url));
  return cookie === undefined ? {} : { cookie };
};

/**
 * Router and guard are the same for every endpoint, so each endpoint is tested with a few spellings, and each
 * spelling with many endpoints.
 */
const attempts = [
  ...Object.entries(oddSpellings).map(([name, spell]) => ({ name, spell, headers: {}, isRejected: atLeast400 })),
  ...misleadingHeaders.map((headers) => ({
    name: JSON.stringify(headers),
    spell: (path: string) => path,
    headers,
    isRejected: isForbidden,
  })),
];

test.each(guarded)(
  '[A11.3] $name rejects callers below its role under any spelling or header',
  async ({ row, turn }) => {
    const path = fillPath(row.path, emptyInput(row).params);
    const body = row.method === 'GET' ? {} : { body: '{}' };
    const json = row.method === 'GET' ? {} : { 'content-type': 'application/json' };
    for (const [index, caller] of tooLow(decisionOf(row)).entries()) {
      const own = { ...json, ...cookieOf(await callAs(caller, row)) };
      for (const { name, spell, headers, isRejected } of rotatedSample(attempts, turn + 3 * index, 3)) {
        const response = await rawRequest(app.url, spell(path), {
          method: row.method,
          headers: { ...own, ...headers },
          ...body,
        });
        expect(isRejected(response.status, caller), `${caller}, ${name}: ${response.status} ${response.text}`).toBe(
          true,
        );
        expect(response.text, `${caller}, ${name}`).not.toContain('"success":true');
      }
    }
  },
);

test.each([
  { 'x-original-url': '/api/user/self' },
  { 'x-rewrite-url': '/api/user/self' },
  { 'x-http-method-override': 'POST' },
])('[A11.3] a visitor who sends %o to /api/status gets the status', async (headers) => {
  const { status, body } = await app.client().request('GET', '/api/status', { headers });
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, data: { version: '0.0.0-test' } });
});

test('[A11.3] a method override header does not turn a read into a write', async () => {
  const { username, password } = await app.createUser({ display_name: 'before' });
  const client = await app.signedIn(username, password);
  const { body } = await client.request('GET', '/api/user/self?_method=PUT', {
    headers: { 'x-http-method-override': 'PUT' },
    query: { display_name: 'after' },
  });
  expect(body).toMatchObject({ success: true, data: { display_name: 'before' } });
});
