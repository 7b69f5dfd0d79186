import {
  alertApi,
  budgetApi,
  channelApi,
  type EditableObject,
  incidentApi,
  limitRuleApi,
  logExportApi,
  ownBudgetApi,
  planApi,
  redemptionApi,
  routingApi,
  tokenApi,
  userApi,
} from '@headgate/contract';
import type { ApiClient, ApiResponse } from '@headgate/testkit';
import { expect } from 'vitest';
import type { TestApp } from '../test-app.ts';
import { accountsOf } from './accounts.ts';
import type { EditFixture, EditSample } from './edit-sample.ts';
import { organizationSamples } from './organization-edit-samples.ts';

/** Channel keys are excluded because their endpoints have a different shape. */
type SampledObject = Exclude<EditableObject, 'channelKeys'>;
type EditSamples = Readonly<Record<string, EditSample> & Record<SampledObject, EditSample>>;

/** Creates one row of each kind. */
function makersOf(app: TestApp, root: ApiClient) {
  const { signedInUser } = accountsOf(app);
  let made = 0;
  const fresh = (word: string) => {
    made += 1;
    return `${word} ${made}`;
  };

  async function makeChannel(): Promise<EditFixture> {
    const name = fresh('channel');
    await root.call(channelApi.create, { body: { name, key: 'sk-x', models: 'm' } });
    const { rows } = await root.page(channelApi.search, { query: { keyword: name } });
    return { client: root, id: rows[0]?.id ?? 0 };
  }

  async function makeRedemption(): Promise<EditFixture> {
    const name = fresh('code');
    await root.call(redemptionApi.create, { body: { name, quota: 5 } });
    const { rows } = await root.page(redemptionApi.search, { query: { keyword: name } });
    return { client: root, id: rows[0]?.id ?? 0 };
  }

  async function makeToken(): Promise<EditFixture> {
    const { client } = await signedInUser();
    return { client, id: (await client.call(tokenApi.create, { body: { name: 'mine', remain_quota: 5 } })).id };
  }

  async function makeReceiver(): Promise<EditFixture> {
    const settings = { address: 'https://alerts.example/hook', secret: 'sixteen characters or more' };
    const { id } = await root.call(alertApi.addReceiver, { body: { kind: 'webhook', name: fresh('hook'), settings } });
    return { client: root, id };
  }

  return { app, root, signedInUser, fresh, makeChannel, makeRedemption, makeToken, makeReceiver };
}

type Makers = ReturnType<typeof makersOf>;

function accountSamples({ app, root, signedInUser, makeChannel, makeToken, makeRedemption }: Makers) {
  return {
    channel: {
      read: channelApi.get,
      change: channelApi.update,
      remove: channelApi.remove,
      make: makeChannel,
      bodies: [{ name: 'one', key: 'sk-other' }, { priority: 7 }],
    },
    user: {
      read: userApi.get,
      change: userApi.update,
      remove: userApi.remove,
      make: async () => ({ client: root, id: (await app.createUser()).id }),
      bodies: [{ display_name: 'one' }, { group: 'vip', quota: 70 }],
    },
    self: {
      read: userApi.self,
      change: userApi.updateSelf,
      make: async () => {
        const { user, client } = await signedInUser();
        return { client, id: user.id };
      },
      bodies: [{ display_name: 'one' }, { display_name: 'two' }],
    },
    token: {
      read: tokenApi.get,
      change: tokenApi.update,
      remove: tokenApi.remove,
      make: makeToken,
      bodies: [{ name: 'one', models: 'm' }, { note: 'two' }],
    },
    redemption: {
      read: redemptionApi.get,
      change: redemptionApi.update,
      remove: redemptionApi.remove,
      make: makeRedemption,
      bodies: [{ name: 'one' }, { quota: 9 }],
    },
  } satisfies Record<string, EditSample>;
}

function ruleSamples({ root, fresh, makeToken }: Makers) {
  return {
    limitRule: {
      read: limitRuleApi.get,
      change: limitRuleApi.update,
      remove: limitRuleApi.remove,
      make: async () => {
        const body = { group: 'default', measure: 'requests_per_minute' as const, amount: 5 };
        return { client: root, id: (await root.call(limitRuleApi.create, { body })).id };
      },
      bodies: [{ amount: 6 }, { note: 'two' }],
    },
    budget: {
      read: budgetApi.get,
      change: budgetApi.update,
      remove: budgetApi.remove,
      make: async () => {
        const body = { kind: 'group' as const, group: fresh('group'), amount: 5, period: 'month' as const };
        return { client: root, id: (await root.call(budgetApi.create, { body })).id };
      },
      bodies: [{ amount: 6 }, { note: 'two' }],
    },
    plan: {
      read: planApi.get,
      change: planApi.update,
      remove: planApi.remove,
      make: async () => {
        const windows = [{ period: 'all' as const, amount: 5 }];
        return {
          client: root,
          id: (await root.call(planApi.create, { body: { name: fresh('plan'), days: 1, windows } })).id,
        };
      },
      bodies: [{ price: 6 }, { description: 'two' }],
    },
    ownBudget: {
      read: ownBudgetApi.get,
      change: ownBudgetApi.update,
      remove: ownBudgetApi.remove,
      make: async () => {
        const { client, id } = await makeToken();
        const body = { owner_id: id, amount: 5, period: 'month' as const };
        return { client, id: (await client.call(ownBudgetApi.create, { body })).id };
      },
      bodies: [{ amount: 6 }, { note: 'two' }],
    },
    routingRule: {
      read: routingApi.rule,
      change: routingApi.updateRule,
      remove: routingApi.removeRule,
      make: async () => ({
        client: root,
        id: (await root.call(routingApi.createRule, { body: { model: fresh('model') } })).id,
      }),
      bodies: [{ hedge_ms: 900 }, { fits_window: false }],
    },
  } satisfies Record<string, EditSample>;
}

function aliasSamples({ root, fresh }: Makers) {
  return {
    modelAlias: {
      read: routingApi.alias,
      change: routingApi.updateAlias,
      remove: routingApi.removeAlias,
      make: async () => {
        const body = { pattern: fresh('alias').replace(' ', '-'), model: 'm' };
        return { client: root, id: (await root.call(routingApi.createAlias, { body })).id };
      },
      // Names must be unique.
      get bodies(): readonly [object, object] {
        const pattern = fresh('other').replace(' ', '-');
        return [
          { pattern, model: 'n' },
          { pattern, model: 'o' },
        ];
      },
    },
  } satisfies Record<string, EditSample>;
}

async function alertSamples({ root, fresh, makeReceiver }: Makers) {
  const { id: receiver } = await makeReceiver();
  /** Secrets are omitted, so they stay unchanged. */
  const receiverBody = (name: string) => ({ name, language: 'en', settings: {} });
  const exportBody = (name: string) => ({ name, enabled: false, settings: { folder: 'x' } });
  const ruleBody = (name: string) => ({ kind: 'channel_disabled' as const, name, receivers: [receiver] });
  return {
    alertReceiver: {
      read: alertApi.receiver,
      change: alertApi.updateReceiver,
      remove: alertApi.removeReceiver,
      make: makeReceiver,
      bodies: [receiverBody('one'), receiverBody('two')],
    },
    logExport: {
      read: logExportApi.get,
      change: logExportApi.update,
      remove: logExportApi.remove,
      make: async () => ({
        client: root,
        id: (
          await root.call(logExportApi.add, {
            body: { kind: 'folder', name: fresh('export'), settings: { folder: 'x' } },
          })
        ).id,
      }),
      bodies: [exportBody('one'), exportBody('two')],
    },
    alertRule: {
      read: alertApi.rule,
      change: alertApi.updateRule,
      remove: alertApi.removeRule,
      make: async () => ({
        client: root,
        id: (await root.call(alertApi.addRule, { body: ruleBody(fresh('rule')) })).id,
      }),
      bodies: [ruleBody('one'), ruleBody('two')],
    },
  } satisfies Record<string, EditSample>;
}

function incidentSample({ root, fresh }: Makers) {
  const body = (title: string) => ({ title, text: 'Some requests fail.', severity: 'minor' as const, start_time: 1 });
  return {
    read: incidentApi.get,
    change: incidentApi.update,
    remove: incidentApi.remove,
    make: async () => ({
      client: root,
      id: (await root.call(incidentApi.add, { body: body(fresh('incident')) })).id,
    }),
    bodies: [body('one'), body('two')],
  } satisfies EditSample;
}

/** Samples of every object that is read and changed individually. */
export async function editSamples(app: TestApp) {
  const makers = makersOf(app, await app.signedIn('root', '123456'));
  const rules = { ...ruleSamples(makers), ...aliasSamples(makers) };
  const samples: EditSamples = {
    ...accountSamples(makers),
    ...rules,
    ...(await alertSamples(makers)),
    ...organizationSamples({ ...makers, app }),
    incident: incidentSample(makers),
  };
  const { makeChannel, makeToken } = makers;
  return { samples, makeChannel, makeToken };
}

export const paramsOf = ({ id, within }: EditFixture, { names }: EditSample): Readonly<Record<string, number>> =>
  names && within !== undefined ? { id: within, [names.path]: id } : { id };

export const readSample = (scene: EditFixture, sample: EditSample): Promise<ApiResponse> =>
  scene.client.send(sample.read, { params: paramsOf(scene, sample) });

export const removeSample = (scene: EditFixture, sample: EditSample, ifMatch: string): Promise<ApiResponse> =>
  scene.client.send(sample.remove ?? sample.change, {
    params: paramsOf(scene, sample),
    headers: { 'if-match': ifMatch },
  });

export const changeSample = (
  scene: EditFixture,
  sample: EditSample,
  body: object,
  ifMatch?: string,
): Promise<ApiResponse> =>
  scene.client.send(sample.change, {
    params: paramsOf(scene, sample),
    body: { ...body, ...idIn(scene, sample) },
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  });

function idIn({ id }: EditFixture, { change, names }: EditSample): object {
  if (names) return { [names.body]: id };
  return change.path.includes(':id') ? {} : { id };
}

export const etagOf = (response: ApiResponse): string => {
  expect(response.body).toMatchObject({ success: true });
  const etag = response.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  return etag;
};

/** Omits the lag of a log export, which increases over time. */
export const dataOf = (response: ApiResponse): object => {
  const { lag: _lag, ...data } = (response.body as { data: { lag?: number } }).data;
  return data;
};
