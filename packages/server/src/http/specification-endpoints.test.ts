import {
  channelApi,
  type Endpoint,
  groupApi,
  logApi,
  modelApi,
  oauthApi,
  optionApi,
  redemptionApi,
  registrationApi,
  sessionApi,
  statusApi,
  tokenApi,
  userApi,
} from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

interface Fields {
  readonly query?: readonly string[];
  readonly body?: readonly string[];
}

type Call = readonly [check: string, method: string, path: string, row: Endpoint, fields?: Fields];

const channelFields = 'name type key base_url other model_mapping system_prompt models group config'.split(' ');
const logFilters = ['type', 'token_name', 'model_name', 'start_timestamp', 'end_timestamp'];
const adminLogFilters = [...logFilters, 'username', 'channel'];

/** Section 7 of the specification, copied verbatim, because all other tests take their paths from the contract. */
const calls: readonly Call[] = [
  ['S7.3', 'GET', '/api/status', statusApi.status],
  ['S7.4', 'GET', '/api/models', modelApi.byType],
  ['S7.5', 'GET', '/api/channel/models', channelApi.models],
  ['S7.6', 'GET', '/api/user/available_models', userApi.availableModels],
  ['S7.7', 'GET', '/api/group/', groupApi.list],
  ['S7.8', 'POST', '/api/user/login', sessionApi.login, { body: ['username', 'password'] }],
  ['S7.9', 'GET', '/api/user/logout', sessionApi.logout],
  ['S7.10', 'POST', '/api/user/register', registrationApi.register, { query: ['turnstile'] }],
  ['S7.11', 'GET', '/api/verification', registrationApi.sendCode, { query: ['email', 'turnstile'] }],
  ['S7.12', 'GET', '/api/reset_password', registrationApi.requestReset, { query: ['email', 'turnstile'] }],
  ['S7.13', 'POST', '/api/user/reset', registrationApi.reset, { body: ['email', 'token'] }],
  ['S7.14', 'GET', '/api/oauth/state', oauthApi.state],
  ['S7.15', 'GET', '/api/oauth/github', oauthApi.github, { query: ['code', 'state'] }],
  ['S7.16', 'GET', '/api/oauth/lark', oauthApi.lark, { query: ['code', 'state'] }],
  ['S7.17', 'GET', '/api/oauth/wechat', oauthApi.wechat, { query: ['code'] }],
  ['S7.18', 'GET', '/api/oauth/wechat/bind', oauthApi.bindWechat, { query: ['code'] }],
  ['S7.19', 'GET', '/api/oauth/email/bind', oauthApi.bindEmail, { query: ['email', 'code'] }],
  ['S7.20', 'GET', '/api/user/', userApi.list, { query: ['p', 'order'] }],
  ['S7.22', 'GET', '/api/user/search', userApi.search, { query: ['keyword'] }],
  ['S7.23', 'POST', '/api/user/manage', userApi.manage, { body: ['username', 'action'] }],
  ['S7.25', 'GET', '/api/user/self', userApi.self],
  ['S7.25', 'PUT', '/api/user/self', userApi.updateSelf],
  ['S7.26', 'GET', '/api/user/7', userApi.get],
  ['S7.27', 'PUT', '/api/user/', userApi.update, { body: ['id', 'quota', 'username', 'display_name', 'password'] }],
  ['S7.28', 'POST', '/api/user/', userApi.create, { body: ['username', 'display_name', 'password'] }],
  ['S7.29', 'GET', '/api/user/token', userApi.makeAccessToken],
  ['S7.30', 'GET', '/api/user/aff', userApi.inviteCode],
  ['S7.31', 'DELETE', '/api/user/self', userApi.removeSelf],
  ['S7.32', 'POST', '/api/user/topup', userApi.redeem, { body: ['key'] }],
  ['S7.33', 'GET', '/api/option/', optionApi.list],
  ['S7.34', 'PUT', '/api/option/', optionApi.update, { body: ['key', 'value'] }],
  ['S7.35', 'GET', '/api/channel/', channelApi.list, { query: ['p'] }],
  ['S7.36', 'GET', '/api/channel/search', channelApi.search, { query: ['keyword'] }],
  ['S7.37', 'GET', '/api/channel/7', channelApi.get],
  ['S7.38', 'POST', '/api/channel/', channelApi.create, { body: channelFields }],
  ['S7.39', 'PUT', '/api/channel/', channelApi.update, { body: ['id', ...channelFields] }],
  ['S7.40', 'PUT', '/api/channel/', channelApi.update, { body: ['id', 'status', 'priority', 'weight'] }],
  ['S7.41', 'DELETE', '/api/channel/7/', channelApi.remove],
  ['S7.42', 'DELETE', '/api/channel/disabled', channelApi.removeDisabled],
  ['S7.43', 'GET', '/api/channel/test', channelApi.testAll, { query: ['scope'] }],
  ['S7.44', 'GET', '/api/channel/test/7', channelApi.test, { query: ['model'] }],
  ['S7.45', 'GET', '/api/channel/update_balance/7/', channelApi.updateBalance],
  ['S7.46', 'GET', '/api/token/', tokenApi.list, { query: ['p', 'order'] }],
  ['S7.47', 'GET', '/api/token/search', tokenApi.search, { query: ['keyword'] }],
  ['S7.48', 'GET', '/api/token/7', tokenApi.get],
  ['S7.49', 'POST', '/api/token/', tokenApi.create],
  ['S7.50', 'PUT', '/api/token/', tokenApi.update, { body: ['id'] }],
  ['S7.51', 'PUT', '/api/token/', tokenApi.update, { query: ['status_only'], body: ['id', 'status'] }],
  ['S7.52', 'DELETE', '/api/token/7/', tokenApi.remove],
  ['S7.53', 'GET', '/api/redemption/', redemptionApi.list, { query: ['p'] }],
  ['S7.54', 'GET', '/api/redemption/search', redemptionApi.search, { query: ['keyword'] }],
  ['S7.55', 'GET', '/api/redemption/7', redemptionApi.get],
  ['S7.56', 'POST', '/api/redemption/', redemptionApi.create, { body: ['name', 'quota', 'count'] }],
  ['S7.57', 'PUT', '/api/redemption/', redemptionApi.update, { body: ['id', 'name', 'quota'] }],
  ['S7.58', 'PUT', '/api/redemption/', redemptionApi.update, { query: ['status_only'], body: ['id', 'status'] }],
  ['S7.59', 'DELETE', '/api/redemption/7/', redemptionApi.remove],
  ['S7.60', 'GET', '/api/log/', logApi.list, { query: ['p', ...adminLogFilters] }],
  ['S7.61', 'GET', '/api/log/self/', logApi.listOwn, { query: ['p', ...logFilters] }],
  ['S7.63', 'GET', '/api/log/stat', logApi.stat, { query: adminLogFilters }],
  ['S7.64', 'GET', '/api/log/self/stat', logApi.statOwn, { query: logFilters }],
  ['S7.65', 'DELETE', '/api/log/', logApi.clean, { query: ['target_timestamp'] }],
];

const namesOf = (shape: Endpoint['query'] | Endpoint['body']) => Object.keys(shape?.shape ?? {});

describe.for(calls)('[%s] %s %s', ([, method, path, row, { query = [], body = [] } = {}]) => {
  test('matches the contract, including its fields', () => {
    expect(`${row.method} ${row.path.replace(':id', '7')}`).toBe(`${method} ${path}`);
    expect(namesOf(row.query)).toEqual(expect.arrayContaining([...query]));
    expect(namesOf(row.body)).toEqual(expect.arrayContaining([...body]));
  });

  test('is served at that path', async () => {
    // The call has no session, so it is rejected for that reason or for its input, and changes nothing.
    const response = await fetch(`${app.url}${path}`, {
      method,
      ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
    });
    await response.text();
    expect([response.status, response.headers.get('x-error-code')]).not.toEqual([404, 'unknownPath']);
  });
});

test('detects a path that is not served', async () => {
  const response = await fetch(`${app.url}/api/nothing-here`);
  expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'unknownPath']);
});
