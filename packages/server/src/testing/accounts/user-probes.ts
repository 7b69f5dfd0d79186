import {
  accessTokenApi,
  budgetApi,
  type Endpoint,
  limitRuleApi,
  ownBudgetApi,
  ownPlanApi,
  passkeyApi,
  payloadApi,
  secondFactorApi,
  sessionApi,
  statementApi,
  tokenApi,
  tokenBulkApi,
  tokenExportApi,
  userApi,
  userBulkApi,
  userLimitApi,
  userStatus,
  userSupportApi,
} from '@headgate/contract';
import type { UserWithData } from './user-with-data.ts';

interface ProbeInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface AccessProbe {
  readonly endpoint: Endpoint;
  /** Makes names unique if several probes use one endpoint. */
  readonly about?: string;
  /** The bystander is an ordinary user, whom any admin may manage. */
  readonly input: (target: UserWithData, bystander: UserWithData) => ProbeInput;
  /** Error code of a permitted call that has nothing to do. */
  readonly permittedError?: string;
}

const byId = ({ id }: UserWithData): ProbeInput => ({ params: { id } });
const amounts = { hours: 1, kilobytes: 64 };
const limit = { measure: 'requests_per_minute', amount: 5 };
const budget = { amount: 5, period: 'day' };
const chosen = ({ id }: UserWithData) => ({ ids: [id] });

const bulkChanges = [
  { kind: 'status', status: userStatus.disabled },
  { kind: 'group', group: 'probed' },
  { kind: 'quota', amount: 7, reason: 'probe' },
  { kind: 'tokens_off' },
];

/** API calls that read or change another user. An admin may make them only on users with a lower role. */
export const managementProbes: readonly AccessProbe[] = [
  { endpoint: secondFactorApi.reset, input: byId },
  { endpoint: userApi.get, input: byId },
  { endpoint: userApi.update, input: ({ id }) => ({ body: { id, display_name: 'probed', quota: 9 } }) },
  { endpoint: userApi.manage, input: ({ username }) => ({ body: { username, action: 'disable' } }) },
  { endpoint: userApi.remove, input: byId },
  { endpoint: userApi.topUp, input: ({ id }) => ({ body: { user_id: id, quota: 7 } }) },
  ...bulkChanges.map((change) => ({
    endpoint: userBulkApi.run,
    about: change.kind,
    input: (target: UserWithData) => ({ body: { chosen: chosen(target), change } }),
  })),
  { endpoint: userBulkApi.undo, input: ({ undo }) => ({ body: { undo } }) },
  { endpoint: userSupportApi.tokens, input: byId },
  { endpoint: userSupportApi.createToken, input: (target) => ({ ...byId(target), body: { name: 'probed' } }) },
  { endpoint: userSupportApi.disableTokens, input: (target) => ({ ...byId(target), body: {} }) },
  { endpoint: userSupportApi.enableTokens, input: (target) => ({ ...byId(target), body: { ids: [1] } }) },
  {
    endpoint: userSupportApi.bindToken,
    input: (target) => ({ ...byId(target), body: { token: target.token, channels: '1', tags: '' } }),
  },
  { endpoint: userSupportApi.sessions, input: byId },
  { endpoint: userSupportApi.endSessions, input: byId },
  { endpoint: userSupportApi.models, input: byId },
  {
    endpoint: statementApi.read,
    input: (target) => ({ ...byId(target), query: { start_timestamp: 1, end_timestamp: 2 } }),
  },
  { endpoint: userLimitApi.read, input: byId },
  {
    endpoint: budgetApi.create,
    about: 'of a user',
    input: ({ id }) => ({ body: { ...budget, kind: 'user', owner_id: id } }),
  },
  {
    endpoint: budgetApi.create,
    about: 'of a token',
    input: ({ token }) => ({ body: { ...budget, kind: 'token', owner_id: token } }),
  },
  ...(['user', 'token'] as const).flatMap((kind): AccessProbe[] => [
    {
      endpoint: budgetApi.update,
      about: `of a ${kind}`,
      input: ({ budgets }) => ({ body: { id: budgets[kind], amount: 9 } }),
    },
    { endpoint: budgetApi.reset, about: `of a ${kind}`, input: ({ budgets }) => ({ params: { id: budgets[kind] } }) },
    { endpoint: budgetApi.remove, about: `of a ${kind}`, input: ({ budgets }) => ({ params: { id: budgets[kind] } }) },
    {
      endpoint: limitRuleApi.update,
      about: `of a ${kind}`,
      input: ({ limits }) => ({ body: { id: limits[kind], amount: 9 } }),
    },
    {
      endpoint: limitRuleApi.update,
      about: `moved away from a ${kind}`,
      input: ({ limits }, { id }) => ({ body: { id: limits[kind], user_id: id, token_id: 0 } }),
    },
    { endpoint: limitRuleApi.remove, about: `of a ${kind}`, input: ({ limits }) => ({ params: { id: limits[kind] } }) },
    {
      endpoint: limitRuleApi.update,
      about: `moved to a ${kind}`,
      input: (target) => ({
        body: {
          id: target.limits.spare,
          user_id: kind === 'user' ? target.id : 0,
          token_id: kind === 'token' ? target.token : 0,
        },
      }),
    },
  ]),
  { endpoint: limitRuleApi.create, about: 'of a user', input: ({ id }) => ({ body: { ...limit, user_id: id } }) },
  {
    endpoint: limitRuleApi.create,
    about: 'of a token',
    input: ({ token }) => ({ body: { ...limit, token_id: token } }),
  },
  {
    endpoint: limitRuleApi.create,
    about: 'of a token beside another user',
    input: ({ token }, { id }) => ({ body: { ...limit, user_id: id, token_id: token } }),
  },
  { endpoint: payloadApi.of, input: byId },
  { endpoint: payloadApi.keep, input: (target) => ({ ...byId(target), body: amounts }) },
  { endpoint: payloadApi.end, input: byId },
  { endpoint: payloadApi.forgetOf, input: byId },
  {
    endpoint: payloadApi.read,
    input: ({ requestId }) => ({ body: { request_id: requestId } }),
    permittedError: 'bodyDamaged',
  },
  { endpoint: payloadApi.forgetOne, input: ({ requestId }) => ({ params: { request_id: requestId } }) },
];

const byToken = ({ token }: UserWithData): ProbeInput => ({ params: { id: token } });

/** Calls on the caller's own objects. An object of another user is never found, regardless of the caller's role. */
export const ownDataProbes: readonly AccessProbe[] = [
  { endpoint: tokenApi.get, input: byToken },
  { endpoint: tokenApi.update, input: ({ token }) => ({ query: {}, body: { id: token, name: 'probed' } }) },
  { endpoint: tokenApi.rotate, input: (target) => ({ ...byToken(target), body: {} }) },
  { endpoint: tokenApi.endOldKey, input: byToken },
  { endpoint: tokenApi.remove, input: byToken },
  {
    endpoint: tokenBulkApi.run,
    input: ({ token }) => ({ body: { chosen: { ids: [token] }, change: { kind: 'status', status: 2 } } }),
  },
  { endpoint: tokenBulkApi.undo, input: ({ tokenUndo }) => ({ body: { undo: tokenUndo } }) },
  { endpoint: tokenExportApi.chosen, input: ({ token }) => ({ body: { format: 'csv', ids: [token] } }) },
  { endpoint: ownBudgetApi.get, input: ({ budgets }) => ({ params: { id: budgets.token } }) },
  { endpoint: ownBudgetApi.create, input: ({ token }) => ({ body: { ...budget, owner_id: token } }) },
  { endpoint: ownBudgetApi.update, input: ({ budgets }) => ({ body: { id: budgets.token, amount: 9 } }) },
  { endpoint: ownBudgetApi.remove, input: ({ budgets }) => ({ params: { id: budgets.token } }) },
  { endpoint: ownBudgetApi.reset, input: ({ budgets }) => ({ params: { id: budgets.token } }) },
  { endpoint: ownPlanApi.cancel, input: ({ plan }) => ({ params: { id: plan } }) },
  { endpoint: ownPlanApi.renewal, input: ({ plan }) => ({ params: { id: plan }, body: { renews: false } }) },
  { endpoint: payloadApi.keepOwn, input: ({ token }) => ({ body: { token_id: token, ...amounts } }) },
  { endpoint: payloadApi.endOwn, input: byToken },
  { endpoint: payloadApi.readOwn, input: ({ requestId }) => ({ body: { request_id: requestId } }) },
  { endpoint: payloadApi.forgetOneOwn, input: ({ requestId }) => ({ params: { request_id: requestId } }) },
  { endpoint: accessTokenApi.revoke, input: ({ accessToken }) => ({ params: { id: accessToken } }) },
  { endpoint: sessionApi.end, input: ({ session }) => ({ params: { session } }) },
  { endpoint: passkeyApi.remove, input: ({ passkey }) => ({ params: { passkey } }) },
];
