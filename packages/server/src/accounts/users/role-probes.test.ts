import { apiTables, type BulkReport, type Endpoint, errorCodeHeader, limitRuleApi, role } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { type AccessProbe, managementProbes, ownDataProbes } from '../../testing/accounts/user-probes.ts';
import { createUserWithData, storedUserData, type UserWithData } from '../../testing/accounts/user-with-data.ts';
import { isExhaustiveRun } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** API tables whose endpoints have no field that names a user or a user's object. */
const withoutUsers: readonly string[] = [
  ...[
    'channel',
    'channelBulk',
    'channelKey',
    'channelPause',
    'channelExport',
    'channelOverview',
    'channelPreview',
    'routing',
    'price',
    'alert',
    'incident',
  ],
  ...['redemption', 'redemptionBulk', 'redemptionExport', 'option', 'mail', 'home'],
];

/** Endpoints that name users but do not require a higher role, with the reason. */
const open: Readonly<Record<string, string>> = {
  'GET /api/user/': 'the list shows every user, root included, without secrets',
  'GET /api/user/search': 'the same list',
  'GET /api/user/export': 'the same list as a file',
  'POST /api/user/export': 'the same list as a file',
  'POST /api/user/': 'creates a common user',
  'GET /api/subject/': 'suggests names and ids',
  'GET /api/referral/payout': 'admins read all payouts',
  'POST /api/referral/payout/:id': 'tested in referral-payouts.test.ts',
  'POST /api/plan/': 'names groups only',
  'PUT /api/plan/': 'names groups only',
  'GET /api/plan/:id': 'names a plan for sale only',
  'DELETE /api/plan/:id/': 'names a plan for sale only',
  'GET /api/plan/user': 'admins read all plans',
  'POST /api/plan/user': 'tested in plan-orders.db.test.ts',
  'POST /api/plan/user/:id/remove': 'tested in plan-orders.db.test.ts',
  'GET /api/order/': 'admins read all orders',
  'GET /api/order/:id': 'admins read all orders',
  'GET /api/order/callbacks': 'admins read all callbacks',
  'POST /api/order/self_test': 'names a provider only',
  'POST /api/order/:id/check': 'queries the provider',
  'POST /api/order/:id/refund': 'tested in open-orders.test.ts',
  'GET /api/budget/': 'amounts only',
  'GET /api/budget/:id': 'amounts only',
  'GET /api/limit/': 'amounts only',
  'GET /api/limit/:id': 'amounts only',
  'GET /api/log/': 'admins read the whole log',
  'GET /api/log/export': 'admins read the whole log',
  'GET /api/log/stat': 'admins read the whole log',
  'GET /api/log/entry': 'admins read the whole log',
  'GET /api/log/histogram': 'admins read the whole log',
  'GET /api/log/facets': 'admins read the whole log',
  'GET /api/log/search': 'admins read the whole log',
  'GET /api/log/suggest': 'admins read the whole log',
  'GET /api/log/failures': 'filters by channel',
  'DELETE /api/log/': 'deletes by date, for all users',
  'GET /api/usage': 'admins read the usage of all users',
  'GET /api/log_export/:id': 'super admins only; names destinations, not users',
  'POST /api/log_export/': 'super admins only; names destinations, not users',
  'PUT /api/log_export/:id': 'super admins only; names destinations, not users',
  'DELETE /api/log_export/:id': 'super admins only; names destinations, not users',
  'POST /api/log_export/:id/test': 'super admins only; names destinations, not users',
  'GET /api/usage/compare': 'admins read the usage of all users',
  'GET /api/usage/focus': 'admins read the usage of all users',
  'PUT /api/user/sign_in_elsewhere': 'only the own account of a super admin',
};

/** API definitions of organizations. Their permissions are tested in `organization-authority.test.ts`. */
const ofOrganizations: readonly string[] = [
  ...(['organization', 'organizationMember', 'organizationInvitation'] as const),
  ...(['organizationToken', 'organizationBudget', 'organizationUsage', 'project', 'serviceAccount'] as const),
  ...(['organizationDirectory', 'organizationSso', 'jwtIssuer'] as const),
];

/** Endpoints for own objects whose id-like fields never identify a user's object. */
const ownWithoutObjects: Readonly<Record<string, string>> = {
  'DELETE /api/oauth/:binding': 'the name of a provider',
  'DELETE /api/oauth/sso/self/:id': 'unlinks a provider from the own account',
  'POST /api/user/passkey': 'a ticket of the own browser',
  'PUT /api/user/self': 'only the own account',
  'POST /api/plan/buy': 'names a plan for sale',
  'GET /api/log/self/': 'filters the caller’s own log',
  'GET /api/log/self/export': 'filters the caller’s own log',
  'GET /api/log/self/stat': 'filters the caller’s own log',
  'GET /api/log/self/histogram': 'filters the caller’s own log',
  'GET /api/log/self/facets': 'filters the caller’s own log',
  'GET /api/usage/self': 'filters the own usage',
};

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const tables = Object.entries<Readonly<Record<string, Endpoint>>>(apiTables);
const endpoints = tables.flatMap(([table, rows]) => Object.values(rows).map((endpoint) => ({ table, endpoint })));

interface Schema {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> };
}

/** Names of all fields of an input, including those inside unions, intersections, lists, records and wrappers. */
function fieldsOf(schema: unknown): string[] {
  const def = (schema as Partial<Schema> | undefined)?._zod?.def;
  if (!def) return [];
  const { shape = {}, ...rest } = def;
  const own = Object.entries(shape as object).flatMap(([name, field]) => [name, ...fieldsOf(field)]);
  return [...own, ...Object.values(rest).flat().flatMap(fieldsOf)];
}

const inputFieldsOf = ({ params, query, body }: Endpoint) => [params, query, body].flatMap(fieldsOf);
const namesUser = (field: string) => /user|owner|^token(_|$)|^request_id$/.test(field);
const namesObject = (field: string) =>
  namesUser(field) || /(^|_)ids?$|^(undo|session|passkey|binding|ticket)$/.test(field);
const isProbed = (probes: readonly AccessProbe[], endpoint: Endpoint) =>
  probes.some((probe) => probe.endpoint === endpoint);

type ListedEndpoint = (typeof endpoints)[number];

/** Admin endpoints that are neither probed nor listed as open. */
const unprobedOfAdmins = (all: readonly ListedEndpoint[]): readonly ListedEndpoint[] =>
  all.filter(({ table, endpoint }) => {
    if (endpoint.access !== 'admin' && endpoint.access !== 'root') return false;
    const fields = inputFieldsOf(endpoint);
    if (fields.length === 0 || ofOrganizations.includes(table)) return false;
    if (withoutUsers.includes(table)) return fields.some(namesUser);
    return !isProbed(managementProbes, endpoint) && open[nameOf(endpoint)] === undefined;
  });

/** User endpoints that take an id and are neither probed nor listed above. */
const unprobedOfUsers = (all: readonly ListedEndpoint[]): readonly ListedEndpoint[] =>
  all.filter(
    ({ table, endpoint }) =>
      endpoint.access === 'user' &&
      !ofOrganizations.includes(table) &&
      inputFieldsOf(endpoint).some(namesObject) &&
      !isProbed(ownDataProbes, endpoint) &&
      ownWithoutObjects[nameOf(endpoint)] === undefined,
  );

const named = z.object({ user_id: z.number() });

describe('every endpoint that can identify another user is classified', () => {
  test.each([
    ['an object', named],
    ['an intersection', z.intersection(z.object({ name: z.string() }), named)],
    ['a union', z.union([z.string(), named])],
    ['a list', z.array(named)],
    ['a tuple', z.tuple([z.string(), named])],
    ['a record', z.record(z.string(), named)],
    ['an optional value', z.optional(named)],
    ['a pipe', z.pipe(z.unknown(), named)],
  ])('[A67.5] a new endpoint that identifies a user in %s is detected', (_, rows) => {
    const body = z.object({ rows });
    const planted = (table: string, access: 'admin' | 'user'): ListedEndpoint => ({
      table,
      endpoint: { method: 'PUT', path: '/api/planted', access, body, reply: z.unknown() },
    });
    for (const table of ['channel', 'user']) expect(unprobedOfAdmins([planted(table, 'admin')]), table).toHaveLength(1);
    expect(unprobedOfUsers([planted('user', 'user')])).toHaveLength(1);
  });

  test('[A67.5] admin endpoints are probed or listed as open', () => {
    expect(unprobedOfAdmins(endpoints).map(({ endpoint }) => nameOf(endpoint))).toEqual([]);
  });

  test("[A67.5] user endpoints that take an id are probed or listed as not identifying a user's object", () => {
    expect(unprobedOfUsers(endpoints).map(({ endpoint }) => nameOf(endpoint))).toEqual([]);
  });

  test('[A67.5] every classified endpoint exists', () => {
    const names = new Set(endpoints.map(({ endpoint }) => nameOf(endpoint)));
    expect([...Object.keys(open), ...Object.keys(ownWithoutObjects)].filter((name) => !names.has(name))).toEqual([]);
    expect(withoutUsers.filter((name) => !Object.hasOwn(apiTables, name))).toEqual([]);
  });
});

const app = await useTestApp({ options: { KeepBodies: 'owners' } });
const { signedInUser } = accountsOf(app);
const actors = {
  admin: await signedInUser({ role: role.admin }),
  root: await signedInUser({ role: role.root }),
};
const createTarget = (target: keyof typeof role) => createUserWithData(app, actors.root.client, role[target]);
const bystander = await createTarget('common');
/** Target ids for calls that change nothing. */
const untouched = { common: bystander, admin: await createTarget('admin'), root: await createTarget('root') };

const titleOf = ({ endpoint, about }: AccessProbe) => `${nameOf(endpoint)}${about === undefined ? '' : ` ${about}`}`;
const permitted = { admin: ['common'], root: ['common', 'admin'] } as const;
const authorityErrors = /EqualOrHigher$|Root$/;

interface Outcome {
  readonly error: string | null;
  readonly isDone: boolean;
}

/** Bulk edits report an error for each row instead of failing as a whole. */
async function outcomeOf(client: ApiClient, probe: AccessProbe, target: UserWithData): Promise<Outcome> {
  const response = await client.send(probe.endpoint, probe.input(target, bystander));
  const { success, data } = response.body as { success: boolean; data?: Partial<BulkReport> };
  const failed = data?.rows?.some?.(({ outcome }) => outcome === 'failed') ?? false;
  return { error: response.headers.get(errorCodeHeader), isDone: success && !failed };
}

const pairs = (['admin', 'root'] as const).flatMap((actor) =>
  (['common', 'admin', 'root'] as const).map((target) => ({ actor, target })),
);
/** Root acting on a common user is implied by an admin acting on a common user and root acting on an admin. */
const isImplied = ({ actor, target }: (typeof pairs)[number]) => actor === 'root' && target === 'common';
const cases = managementProbes.flatMap((probe) =>
  pairs
    .filter((pair) => isExhaustiveRun || !isImplied(pair))
    .map((pair) => ({ title: titleOf(probe), probe, ...pair })),
);

test.each(cases)(
  '[A67.4] $title: allowed for $actor on another $target only with a higher role',
  async ({ probe, actor, target }) => {
    const { client } = actors[actor];
    if ((permitted[actor] as readonly string[]).includes(target)) {
      const isRead = probe.endpoint.method === 'GET';
      const { error, isDone } = await outcomeOf(client, probe, isRead ? untouched[target] : await createTarget(target));
      expect(error).toBe(probe.permittedError ?? null);
      expect(isDone).toBe(probe.permittedError === undefined);
      return;
    }
    const user = untouched[target];
    const before = await storedUserData(app, user);
    const { error, isDone } = await outcomeOf(client, probe, user);
    expect(isDone).toBe(false);
    if (error !== null) expect(error).toMatch(authorityErrors);
    expect(await storedUserData(app, user)).toEqual(before);
  },
);

test.each(
  ownDataProbes.flatMap((probe) =>
    (['admin', 'root'] as const).map((actor) => ({ title: titleOf(probe), probe, actor })),
  ),
)('[A67.6] $title finds no object of another user, called by $actor', async ({ probe, actor }) => {
  const user = untouched.common;
  const before = await storedUserData(app, user);
  const response = await actors[actor].client.send(probe.endpoint, probe.input(user, bystander));
  expect(response.text).not.toContain('"success":true,"message":"","data":{"id"');
  expect(response.text).not.toContain('probe');
  expect(await storedUserData(app, user)).toEqual(before);
});

describe('[A67.4] limits of one’s own account', () => {
  test('root can set and remove its own limits, but an admin cannot', async () => {
    const { admin, root } = actors;
    const body = { measure: 'requests_per_minute', amount: 5 } as const;
    const own = await root.client.call(limitRuleApi.create, { body: { ...body, user_id: admin.user.id } });
    for (const [endpoint, input] of [
      [limitRuleApi.create, { body: { ...body, user_id: admin.user.id } }],
      [limitRuleApi.update, { body: { id: own.id, amount: 1000 } }],
      [limitRuleApi.remove, { params: { id: own.id } }],
    ] as const) {
      const response = await admin.client.send(endpoint, input);
      expect(response.headers.get(errorCodeHeader), nameOf(endpoint)).toBe('editEqualOrHigher');
    }
    await root.client.call(limitRuleApi.create, { body: { ...body, user_id: root.user.id } });
    await root.client.call(limitRuleApi.remove, { params: { id: own.id } });
  });
});
