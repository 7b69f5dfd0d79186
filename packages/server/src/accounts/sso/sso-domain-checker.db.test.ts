import { organizationSsoApi } from '@headgate/contract';
import { expect, it } from 'vitest';
import { directoryFixture } from '../../testing/accounts/directory-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const records = new Map<string, string>();
const day = 24 * 60 * 60;
const lookups: string[] = [];
let outage = false;
const app = await useTestApp({
  domainCheckMs: 5,
  resolveTxt: async (name) => {
    lookups.push(name);
    const value = records.get(name);
    if (outage || value === undefined)
      throw Object.assign(new Error('lookup'), { code: outage ? 'ETIMEOUT' : 'ENODATA' });
    return [[value.slice(0, 5), value.slice(5)]];
  },
});
const { root, people, createDirectory } = await directoryFixture(app);
const owner = people.owner.client;
const { id } = await createDirectory();

const add = async (domain: string, method: 'verifyDomain' | 'confirmDomain') => {
  const added = await owner.call(organizationSsoApi.addDomain, { params: { id }, body: { domain } });
  records.set(added.record_name, added.record_value);
  await root.call(organizationSsoApi[method], { params: { id, sso_domain: added.id } });
  return added;
};

const domain = await add('dns.example', 'verifyDomain');
const confirmed = await add('confirmed.example', 'confirmDomain');
const read = async () => {
  const all = await owner.call(organizationSsoApi.domains, { params: { id } });
  return all.find((row) => row.id === domain.id);
};

/** Makes the last check and the loss of the record older, and waits for the next check. */
const passDays = async (days: number) => {
  const count = lookups.length;
  await app.database
    .updateTable('sso_domains')
    .set((row) => ({
      checked_time: row('checked_time', '-', days * day),
      missing_since: row
        .case()
        .when('missing_since', '>', 0)
        .then(row('missing_since', '-', days * day))
        .else(0)
        .end(),
    }))
    .execute();
  await expect.poll(() => lookups.length).toBeGreaterThan(count);
};

it('[A73.6] a domain whose last check is in the future is checked', async () => {
  await passDays(-400);
  expect((await read())?.verified_time).toBeGreaterThan(0);
});

it('[A75.26] a domain stays verified for seven days without its DNS record', async () => {
  await passDays(2);
  expect(await read()).toMatchObject({ missing_since: 0 });
  records.clear();
  await passDays(2);
  await expect.poll(async () => (await read())?.missing_since).toBeGreaterThan(0);
  await passDays(6);
  expect((await read())?.verified_time).toBeGreaterThan(0);
  records.set(domain.record_name, domain.record_value);
  await passDays(2);
  await expect.poll(async () => (await read())?.missing_since).toBe(0);
  records.clear();
  await passDays(2);
  await expect.poll(async () => (await read())?.missing_since).toBeGreaterThan(0);
  outage = true;
  await passDays(8);
  outage = false;
  expect((await read())?.verified_time).toBeGreaterThan(0);
  await passDays(8);
  await expect.poll(async () => (await read())?.verified_time).toBe(0);
  const logs = await app.database
    .selectFrom('logs')
    .select('content')
    .where('content', 'like', '%is no longer verified%')
    .execute();
  expect(logs).toHaveLength(1);
  expect(lookups).not.toContain(confirmed.record_name);
});
