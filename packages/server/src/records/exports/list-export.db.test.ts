import { channelExportApi, redemptionExportApi, tokenExportApi, userApi, userExportApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { TokenExportRepository } from '../../accounts/api-tokens/token-export-repository.ts';
import { RedemptionExportRepository } from '../../accounts/redemptions/redemption-export-repository.ts';
import { UserExportRepository } from '../../accounts/users/user-export-repository.ts';
import { ChannelExportRepository } from '../../catalog/channels/channel-export-repository.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../platform/secrets/secret-key.ts';
import { listExportFixture, listRows, type Query } from '../../testing/records/list-export-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { ListSource } from './list-export.ts';

const app = await useTestApp();
const { cases, owner } = await listExportFixture(app);
const { id: userId } = await owner.call(userApi.self);
const box = new SecretBox(loadSecretKey(app.location.dataDir, undefined));

/** The source that the export thread reads, with the filter that the route parses. */
const sources: Readonly<Record<keyof typeof cases, (query: Query) => ListSource<object>>> = {
  users: (query) => new UserExportRepository(app.database, { filter: userExportApi.all.query.parse(query) }),
  tokens: (query) =>
    new TokenExportRepository(app.database, {
      chosen: { filter: tokenExportApi.all.query.parse(query) },
      userId,
      now: nowInSeconds(),
    }),
  channels: (query) =>
    new ChannelExportRepository(app.database, { filter: channelExportApi.all.query.parse(query) }, box),
  codes: (query) =>
    new RedemptionExportRepository(app.database, { filter: redemptionExportApi.all.query.parse(query) }, box),
};

test.each(Object.keys(sources) as (keyof typeof cases)[])(
  'the export source of %s returns the same rows as the list, for every filter',
  async (name) => {
    const { filters, all, ...list } = cases[name];
    const counts = new Set<number>();
    for (const query of filters) {
      const source = sources[name](query);
      const ids = await source.ids(Number.MAX_SAFE_INTEGER, 1000);
      const rows = ids.length === 0 ? [] : await source.rows(ids);
      const expected = await listRows(list, query);
      expect(
        rows.map((row) => all.reply.parse(row)),
        JSON.stringify(query),
      ).toEqual(expected);
      counts.add(expected.length);
    }
    expect(counts.size, 'the filters find different rows').toBeGreaterThan(1);
  },
);

test('the export source returns ids in pages', async () => {
  const source = sources.users({});
  const all = await source.ids(Number.MAX_SAFE_INTEGER, 1000);
  const first = await source.ids(Number.MAX_SAFE_INTEGER, 2);
  expect([...first, ...(await source.ids(first[1] ?? 0, 1000))]).toEqual(all);
});
