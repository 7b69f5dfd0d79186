import {
  alertApi,
  budgetApi,
  channelApi,
  type EditedThing,
  type Endpoint,
  editedThings,
  limitRuleApi,
  ownBudgetApi,
  redemptionApi,
  routingApi,
  tokenApi,
  userApi,
} from '@headgate/contract';
import type { Answer, ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../testing/accounts.ts';
import { refused } from '../testing/answers.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const root = await app.signedIn('root', '123456');

const stale = refused('Somebody else has changed this since you read it. Nothing was changed: read it again');

interface Scene {
  readonly client: ApiClient;
  readonly id: number;
}

interface Sample {
  readonly read: Endpoint;
  readonly change: Endpoint;
  readonly remove?: Endpoint;
  /** One of them, and who may change it. */
  readonly make: () => Promise<Scene>;
  /** Two different changes. */
  readonly bodies: readonly [object, object];
}

let made = 0;
const fresh = (word: string) => {
  made += 1;
  return `${word} ${made}`;
};

async function makeChannel(): Promise<Scene> {
  const name = fresh('channel');
  await root.call(channelApi.create, { body: { name, key: 'sk-x', models: 'm' } });
  const { rows } = await root.page(channelApi.search, { query: { keyword: name } });
  return { client: root, id: rows[0]?.id ?? 0 };
}

async function makeRedemption(): Promise<Scene> {
  const name = fresh('code');
  await root.call(redemptionApi.create, { body: { name, quota: 5 } });
  const { rows } = await root.page(redemptionApi.search, { query: { keyword: name } });
  return { client: root, id: rows[0]?.id ?? 0 };
}

async function makeToken(): Promise<Scene> {
  const { client } = await signedInUser();
  return { client, id: (await client.call(tokenApi.create, { body: { name: 'mine', remain_quota: 5 } })).id };
}

async function makeReceiver(): Promise<Scene> {
  const settings = { address: 'https://alerts.example/hook', secret: 'sixteen characters or more' };
  const { id } = await root.call(alertApi.addReceiver, { body: { kind: 'webhook', name: fresh('hook'), settings } });
  return { client: root, id };
}

const { id: receiver } = await makeReceiver();
/** What is secret of it stays. */
const receiverBody = (name: string) => ({ name, language: 'en', settings: {} });
const ruleBody = (name: string) => ({ kind: 'channel_disabled' as const, name, receivers: [receiver] });

const samples: Readonly<Record<string, Sample> & Record<EditedThing, Sample>> = {
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
  modelAlias: {
    read: routingApi.alias,
    change: routingApi.updateAlias,
    remove: routingApi.removeAlias,
    make: async () => {
      const body = { pattern: fresh('alias').replace(' ', '-'), model: 'm' };
      return { client: root, id: (await root.call(routingApi.createAlias, { body })).id };
    },
    // No two may have the same name.
    get bodies(): readonly [object, object] {
      const pattern = fresh('other').replace(' ', '-');
      return [
        { pattern, model: 'n' },
        { pattern, model: 'o' },
      ];
    },
  },
  alertReceiver: {
    read: alertApi.receiver,
    change: alertApi.updateReceiver,
    remove: alertApi.removeReceiver,
    make: makeReceiver,
    bodies: [receiverBody('one'), receiverBody('two')],
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
};

const read = ({ client, id }: Scene, { read: row }: Sample): Promise<Answer> => client.send(row, { params: { id } });

const change = ({ client, id }: Scene, { change: row }: Sample, body: object, ifMatch?: string): Promise<Answer> =>
  client.send(row, {
    params: { id },
    body: { ...body, ...(row.path.includes(':id') ? {} : { id }) },
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  });

const etagOf = (answer: Answer): string => {
  expect(answer.body).toMatchObject({ success: true });
  const etag = answer.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  return etag;
};

const dataOf = (answer: Answer) => (answer.body as { data: object }).data;

test('every row that reads or changes one thing is looked at here', () => {
  const rows = Object.values(editedThings).flatMap(({ reads, changes }): readonly Endpoint[] => [...reads, ...changes]);
  const seen = Object.values(samples).flatMap((sample) => [sample.read, sample.change, sample.remove ?? []].flat());
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
  expect(seen.map(nameOf).sort()).toEqual(rows.map(nameOf).sort());
});

describe.each(Object.entries(samples))('%s', (_, sample) => {
  test('[A52.10] is not changed by who read it before somebody else changed it', async () => {
    const scene = await sample.make();
    const [first, second] = sample.bodies;
    const before = etagOf(await read(scene, sample));
    expect(etagOf(await read(scene, sample))).toBe(before);
    const after = etagOf(await change(scene, sample, first, before));
    expect(after).not.toBe(before);
    const stored = dataOf(await read(scene, sample));
    const refusal = await change(scene, sample, second, before);
    expect(refusal.status).toBe(412);
    expect(refusal.body).toEqual(stale);
    expect(refusal.headers.get('etag')).toBeNull();
    expect(dataOf(await read(scene, sample))).toEqual(stored);
    if (sample.remove) {
      const headers = { 'if-match': before };
      const removal = await scene.client.send(sample.remove, { params: { id: scene.id }, headers });
      expect(removal.status).toBe(412);
    }
    expect(etagOf(await read(scene, sample))).toBe(after);
    expect(etagOf(await change(scene, sample, second, after))).not.toBe(after);
  });

  test('is changed as ever by who does not say what he read', async () => {
    const scene = await sample.make();
    const [first, second] = sample.bodies;
    const before = etagOf(await read(scene, sample));
    expect(etagOf(await change(scene, sample, first))).not.toBe(before);
    expect(etagOf(await change(scene, sample, second, '*'))).toBe(etagOf(await read(scene, sample)));
  });

  test('is the same, and answered the same, after the same change twice', async () => {
    const scene = await sample.make();
    const [body] = sample.bodies;
    const once = await change(scene, sample, body);
    const stored = await read(scene, sample);
    const twice = await change(scene, sample, body);
    expect(twice.body).toEqual(once.body);
    expect(etagOf(twice)).toBe(etagOf(once));
    expect(dataOf(await read(scene, sample))).toEqual(dataOf(stored));
  });

  test('[A52.10] of two at once who read the same, one is refused', async () => {
    const scene = await sample.make();
    const before = etagOf(await read(scene, sample));
    const answers = await Promise.all(sample.bodies.map((body) => change(scene, sample, body, before)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  if (sample.remove) {
    const row = sample.remove;
    test('is deleted with the right ETag, and is then not there', async () => {
      const scene = await sample.make();
      const headers = { 'if-match': etagOf(await read(scene, sample)) };
      const removal = await scene.client.send(row, { params: { id: scene.id }, headers });
      expect(removal.body).toMatchObject({ success: true });
      expect(removal.headers.get('etag')).toBeNull();
      const gone = await read(scene, sample);
      expect(gone.body).toMatchObject({ success: false });
      expect(gone.headers.get('etag')).toBeNull();
    });
  }
});

describe('[A52.10] If-Match', () => {
  test.each([
    ['another word', '"nonsense"'],
    ['without quotes', (etag: string) => etag.slice(1, -1)],
    ['cut', (etag: string) => `${etag.slice(0, -2)}"`],
    ['nothing', ''],
    ['a very long list', (etag: string) => `${'"x",'.repeat(2000)}${etag}`],
  ])('that is %s holds for nothing', async (__, given) => {
    const scene = await makeChannel();
    const sample = samples.channel;
    const etag = etagOf(await read(scene, sample));
    const refusal = await change(scene, sample, { name: 'x' }, typeof given === 'string' ? given : given(etag));
    expect(refusal.status).toBe(412);
    expect(etagOf(await read(scene, sample))).toBe(etag);
  });

  test('of several holds when one does, also when a proxy has made it weak', async () => {
    const scene = await makeChannel();
    const sample = samples.channel;
    const etag = etagOf(await read(scene, sample));
    const next = etagOf(await change(scene, sample, { name: 'x' }, `"other", ${etag}`));
    expect((await change(scene, sample, { name: 'y' }, `W/${next}`)).status).toBe(200);
  });

  test('tells nobody whether somebody else has such a thing', async () => {
    const { id } = await makeToken();
    const { client } = await signedInUser();
    for (const ifMatch of ['"nonsense"', '*']) {
      const headers = { 'if-match': ifMatch };
      const answer = await client.send(tokenApi.update, { body: { id, name: 'taken' }, headers });
      expect(answer).toMatchObject({ status: 200, body: refused('Not found') });
      expect(answer.headers.get('etag')).toBeNull();
    }
  });

  test('what is spent, tested and used meanwhile is no change by somebody else', async () => {
    const scene = await makeChannel();
    const sample = samples.channel;
    const etag = etagOf(await read(scene, sample));
    const used = { used_quota: 900, response_time: 80, test_time: 5, balance: 3 };
    await app.database.updateTable('channels').set(used).where('id', '=', scene.id).execute();
    expect(etagOf(await read(scene, sample))).toBe(etag);
  });
});
