import {
  budgetApi,
  channelKeyApi,
  type Endpoint,
  editableObjects,
  organizationTokenApi,
  ownBudgetApi,
  tokenApi,
} from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import type { EditSample } from '../../testing/accounts/edit-sample.ts';
import {
  changeSample,
  dataOf,
  editSamples,
  etagOf,
  paramsOf,
  readSample,
  removeSample,
} from '../../testing/accounts/edit-samples.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const { samples, makeChannel, makeToken } = await editSamples(app);

const stale = apiFailure(
  'This has been changed by someone else since you loaded it. Nothing was saved; reload and try again',
);

const logCount = async () =>
  Number(
    (
      await app.database
        .selectFrom('logs')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );

/** Covered in a separate file. */
const ofKeys: readonly Endpoint[] = [channelKeyApi.list, channelKeyApi.add, channelKeyApi.update, channelKeyApi.remove];

/** Endpoints that change a row other than by editing its fields. */
const writeEndpoints = [
  [samples.token, tokenApi.rotate],
  [samples.token, tokenApi.endOldKey],
  [samples.organizationToken, organizationTokenApi.rotate],
  [samples.budget, budgetApi.reset],
  [samples['ownBudget'] as EditSample, ownBudgetApi.reset],
] as const;

test('the samples cover every endpoint that reads or changes one row', () => {
  const rows = Object.values(editableObjects).flatMap(({ reads, changes }): readonly Endpoint[] => [
    ...reads,
    ...changes,
  ]);
  const seen = Object.values(samples).flatMap((sample) => [sample.read, sample.change, sample.remove ?? []].flat());
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
  expect([...seen, ...ofKeys, ...writeEndpoints.map(([, row]) => row)].map(nameOf).sort()).toEqual(
    rows.map(nameOf).sort(),
  );
});

describe.each(Object.entries(samples))('%s', (_, sample) => {
  test('[A52.10] rejects a change based on an outdated read', async () => {
    const scene = await sample.make();
    const [first, second] = sample.bodies;
    const before = etagOf(await readSample(scene, sample));
    expect(etagOf(await readSample(scene, sample))).toBe(before);
    const after = etagOf(await changeSample(scene, sample, first, before));
    expect(after).not.toBe(before);
    const stored = dataOf(await readSample(scene, sample));
    const rejection = await changeSample(scene, sample, second, before);
    expect(rejection.status).toBe(412);
    expect(rejection.body).toEqual(stale);
    expect(rejection.headers.get('etag')).toBeNull();
    expect(dataOf(await readSample(scene, sample))).toEqual(stored);
    if (sample.remove) {
      const removal = await removeSample(scene, sample, before);
      expect(removal.status).toBe(412);
    }
    expect(etagOf(await readSample(scene, sample))).toBe(after);
    expect(etagOf(await changeSample(scene, sample, second, after))).not.toBe(after);
  });

  test('accepts a change without If-Match', async () => {
    const scene = await sample.make();
    const [first, second] = sample.bodies;
    const before = etagOf(await readSample(scene, sample));
    expect(etagOf(await changeSample(scene, sample, first))).not.toBe(before);
    expect(etagOf(await changeSample(scene, sample, second, '*'))).toBe(etagOf(await readSample(scene, sample)));
  });

  test('[A56.2] repeating a change returns the same response and logs once', async () => {
    const scene = await sample.make();
    const [body] = sample.bodies;
    const once = await changeSample(scene, sample, body);
    const stored = await readSample(scene, sample);
    const written = await logCount();
    const twice = await changeSample(scene, sample, body);
    expect(twice.body).toEqual(once.body);
    expect(etagOf(twice)).toBe(etagOf(once));
    expect(dataOf(await readSample(scene, sample))).toEqual(dataOf(stored));
    expect(await logCount()).toBe(written);
  });

  if (sample.remove) {
    test('deletes with the right ETag, and then returns "not found"', async () => {
      const scene = await sample.make();
      const removal = await removeSample(scene, sample, etagOf(await readSample(scene, sample)));
      expect(removal.body).toMatchObject({ success: true });
      expect(removal.headers.get('etag')).toBeNull();
      const gone = await readSample(scene, sample);
      expect(gone.body).toMatchObject({ success: false });
      expect(gone.headers.get('etag')).toBeNull();
    });
  }
});

test.each(writeEndpoints.map(([sample, row]) => ({ name: `${row.method} ${row.path}`, sample, row })))(
  '[A52.10] $name rejects an outdated ETag and accepts the current one',
  async ({ sample, row }) => {
    const scene = await sample.make();
    const act = (ifMatch: string) =>
      scene.client.send(row, { params: paramsOf(scene, sample), body: {}, headers: { 'if-match': ifMatch } });
    const before = etagOf(await readSample(scene, sample));
    const after = etagOf(await changeSample(scene, sample, sample.bodies[0], before));
    const stored = dataOf(await readSample(scene, sample));
    expect((await act(before)).body).toEqual(stale);
    expect(dataOf(await readSample(scene, sample))).toEqual(stored);
    expect(etagOf(await act(after))).toBe(etagOf(await readSample(scene, sample)));
  },
);

test('[A56.5] If-None-Match is ignored, because parts of a response change without the ETag', async () => {
  const scene = await makeChannel();
  const etag = etagOf(await readSample(scene, samples.channel));
  for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': '*' }, { 'if-none-match': `W/${etag}` }]) {
    const response = await scene.client.send(samples.channel.read, { params: { id: scene.id }, headers });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(dataOf(response)).toMatchObject({ id: scene.id });
  }
});

describe('[A52.10] If-Match', () => {
  test.each([
    ['an unknown value', '"nonsense"'],
    ['unquoted', (etag: string) => etag.slice(1, -1)],
    ['truncated', (etag: string) => `${etag.slice(0, -2)}"`],
    ['empty', ''],
    ['a very long list', (etag: string) => `${'"x",'.repeat(2000)}${etag}`],
  ])('an If-Match header that is %s matches nothing', async (__, given) => {
    const scene = await makeChannel();
    const sample = samples.channel;
    const etag = etagOf(await readSample(scene, sample));
    const rejection = await changeSample(scene, sample, { name: 'x' }, typeof given === 'string' ? given : given(etag));
    expect(rejection.status).toBe(412);
    expect(etagOf(await readSample(scene, sample))).toBe(etag);
  });

  test('If-Match with several ETags succeeds if any of them matches, even as a weak ETag', async () => {
    const scene = await makeChannel();
    const sample = samples.channel;
    const etag = etagOf(await readSample(scene, sample));
    const next = etagOf(await changeSample(scene, sample, { name: 'x' }, `"other", ${etag}`));
    expect((await changeSample(scene, sample, { name: 'y' }, `W/${next}`)).status).toBe(200);
  });

  test('If-Match does not reveal whether another user has such a row', async () => {
    const { id } = await makeToken();
    const { client } = await signedInUser();
    for (const ifMatch of ['"nonsense"', '*']) {
      const headers = { 'if-match': ifMatch };
      const response = await client.send(tokenApi.update, { body: { id, name: 'taken' }, headers });
      expect(response).toMatchObject({ status: 200, body: apiFailure('Not found') });
      expect(response.headers.get('etag')).toBeNull();
    }
  });

  test('spending, tests and usage do not change the ETag', async () => {
    const scene = await makeChannel();
    const sample = samples.channel;
    const etag = etagOf(await readSample(scene, sample));
    const used = { used_quota: 900, response_time: 80, test_time: 5, balance: 3 };
    await app.database.updateTable('channels').set(used).where('id', '=', scene.id).execute();
    expect(etagOf(await readSample(scene, sample))).toBe(etag);
  });
});
