import { logApi, tokenApi, usageApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { rollUpAll } from '../../records/logs/rollup-repository.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { TagKeys: 'team,feature,end_user' } });
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => scene.close());

const tagged = (tags: string, body: object = {}) =>
  scene.chat(body, {
    headers: {
      authorization: `Bearer sk-${scene.token.key}`,
      'content-type': 'application/json',
      'x-headgate-tags': tags,
    },
  });

describe('attribution', () => {
  it('aggregates usage by tag and end user, before and after the rollup', async () => {
    await tagged('team=search,feature=summary');
    await tagged('team=search');
    await tagged('team=ads', { user: 'customer-1' });
    await scene.chat();
    const [upstream] = scene.upstreams;
    expect(upstream?.received.map(({ headers }) => headers['x-headgate-tags'])).toEqual(Array(4).fill(undefined));
    const byTeam = async () => {
      const usage = await scene.client.call(usageApi.readOwn, { query: { rows: 'tag', tag: 'team' } });
      return usage.rows.map(({ key, is_others, total }) => [is_others ? 'others' : key, total.requests]);
    };
    const expected = [
      ['search', 2],
      ['ads', 1],
      ['others', 1],
    ];
    expect(await byTeam()).toEqual(expected);
    await rollUpAll(app.database);
    const stored = await app.database
      .selectFrom('tag_hours')
      .select(['tag', 'tag_value', 'rows'])
      .orderBy('tag')
      .execute();
    expect(stored.map(({ tag, tag_value, rows }) => `${tag}=${tag_value} ${rows}`).sort()).toEqual([
      'end_user=customer-1 1',
      'feature=summary 1',
      'team=ads 1',
      'team=search 2',
    ]);
    const cross = await scene.admin.call(usageApi.read, {
      query: { rows: 'model', columns: 'day', tag: 'end_user', tag_value: 'customer-1', user_id: scene.user.id },
    });
    expect(cross.total.requests).toBe(1);
    const { rows } = await scene.client.call(usageApi.readOwn, {
      query: { rows: 'tag', columns: 'model', tag: 'team', zone: 'Asia/Tokyo' },
    });
    expect(rows.map(({ key }) => key)).toEqual(['search', 'ads', '']);
    const rejected = await scene.client.send(usageApi.readOwn, { query: { rows: 'tag' } });
    expect(rejected.body).toMatchObject({ success: false, message: 'Choose a tag key' });
    expect(await scene.client.call(usageApi.tags)).toEqual({ keys: ['team', 'feature', 'end_user'] });
  });

  it('[A74.1] rolls up tags of logs whose other members contain text that the database rejects', async () => {
    const member = { asked_model: 'a\0b\ud800', attempts: [{ reason: '"request_tags":{"team":"x"}' }] };
    const detail = JSON.stringify({ ...member, request_tags: { team: 'odd' } });
    await writeLogs(app.database, [{ user_id: scene.user.id, created_at: nowInSeconds(), detail }]);
    const odd = async () => {
      const query = { rows: 'day', tag: 'team', tag_value: 'odd' } as const;
      return (await scene.client.call(usageApi.readOwn, { query })).total.requests;
    };
    expect(await odd()).toBe(1);
    await rollUpAll(app.database);
    expect(await odd()).toBe(1);
  });

  it('filters and exports logs by tag', async () => {
    await tagged('team=export_1');
    await tagged('team=exportx1');
    const found = await scene.client.call(logApi.listOwn, { query: { tag: 'team=export_1' } });
    expect(found).toHaveLength(1);
    expect(found[0]?.detail).toMatch(/"request_tags":\{"team":"export_1"\}\}$/);
    const csv = (await scene.client.request('GET', '/api/log/self/export?format=csv&tag=team%3Dexport_1')).text;
    expect(csv).toContain('team=export_1');
    expect(csv).not.toContain('exportx1');
  });

  it('records the fixed tags of a token, which its clients cannot change', async () => {
    const { id } = scene.token;
    await scene.client.call(tokenApi.update, { query: {}, body: { id, fixed_tags: 'Team = billing' } });
    await tagged('team=other,feature=x');
    const { logs } = await scene.books();
    expect(logs.at(-1)?.detail).toContain('"request_tags":{"team":"billing","feature":"x"}');
  });

  it('subtracts deleted logs from usage by tag', async () => {
    await rollUpAll(app.database);
    await scene.admin.call(logApi.clean, { query: { target_timestamp: Math.floor(Date.now() / 1000) + 10 } });
    await rollUpAll(app.database);
    expect(await app.database.selectFrom('tag_hours').selectAll().execute()).toEqual([]);
  });
});
