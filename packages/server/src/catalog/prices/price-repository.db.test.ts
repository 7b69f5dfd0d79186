import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import type { PriceEntry } from './price-entries.ts';
import { PriceRepository } from './price-repository.ts';

const app = await useTestApp({ isUntouched: true });
const prices = new PriceRepository(app.database);

const entry = (model: string, part: PriceEntry['part'], amount: string): PriceEntry => ({
  ...{ model, part, unit: 'tokens', amount, currency: 'USD' },
});
const root = { username: 'root', source: 'prices' } as const;

async function replace(entries: readonly PriceEntry[], author: Parameters<PriceRepository['replace']>[2] = root) {
  return prices.replace((await prices.stored()).rows, entries, author);
}

const stored = async () => (await prices.stored()).rows.map(({ model, part, amount }) => [model, part, amount]);

it('stores only the differences and keeps the order of the rows', async () => {
  const [one, other] = [entry('one', 'input', '2.50'), entry('other', 'input', '3')];
  expect([...(await replace([one, other]))]).toEqual(['one', 'other']);
  expect([...(await replace([other, one]))]).toEqual([]);
  expect([...(await replace([entry('one', 'input', '4'), entry('one', 'output', '8'), other]))]).toEqual(['one']);
  expect(await stored()).toEqual([
    ['one', 'input', '4'],
    ['other', 'input', '3'],
    ['one', 'output', '8'],
  ]);
});

it('records who changed a price, with old and new amount', async () => {
  await replace([]);
  await replace([entry('gpt-4o', 'input', '5')], { username: 'ann', source: 'prices' });
  await replace([entry('gpt-4o', 'input', '2.5')], { username: 'bob', source: 'options' });
  await replace([], { username: '@headgate.yaml', source: 'file' });
  const changes = await prices.changesOf('gpt-4o');
  expect(changes).toMatchObject([
    { part: 'input', unit: 'tokens', old_amount: null, amount: '5', changed_by: 'ann', source: 'prices' },
    { old_amount: '5', old_currency: 'USD', amount: '2.5', currency: 'USD', changed_by: 'bob', source: 'options' },
    { old_amount: '2.5', amount: null, currency: null, changed_by: '@headgate.yaml', source: 'file' },
  ]);
  expect(changes.every(({ changed_time }) => changed_time > 1_700_000_000)).toBe(true);
});

it('reads the quota per dollar together with the prices, even if there are none', async () => {
  await replace([]);
  expect(await prices.stored()).toEqual({ rows: [], quotaPerUnit: 500_000 });
  await app.database.insertInto('options').values({ key: 'QuotaPerUnit', value: '250000.5' }).execute();
  await replace([entry('one', 'input', '1')]);
  expect(await prices.stored()).toMatchObject({
    rows: [{ model: 'one', updated_by: 'root' }],
    quotaPerUnit: 250_000.5,
  });
});

it('stores more prices than fit into one statement', async () => {
  const many = Array.from({ length: 1201 }, (_, index) => entry(`model ${index}`, 'input', String(index)));
  expect((await replace(many)).size).toBe(1201 + 1);
  expect(await stored()).toEqual(many.map(({ model, part, amount }) => [model, part, amount]));
});

it('skips unreadable rows and replaces them when their price is saved', async () => {
  await replace([entry('good', 'input', '1')]);
  const written = { source: 'prices', updated_time: 1, updated_by: 'later' } as const;
  const bad: readonly Readonly<Record<string, string>>[] = [
    { part: 'per_minute' },
    { unit: 'constructor' },
    { currency: 'EUR' },
    ...['', '-1', 'NaN', '1e999', '1e99999999999', '0x10', '1'.repeat(401)].map((amount) => ({ amount })),
  ];
  for (const [index, fields] of bad.entries()) {
    const row = { ...entry(`bad-${index}`, 'input', '1'), ...written, ...fields };
    await app.database.insertInto('prices').values(row).execute();
  }
  expect(await stored()).toEqual([['good', 'input', '1']]);
  await replace([entry('good', 'input', '1'), entry('bad-1', 'input', '2')]);
  expect(await stored()).toEqual(
    expect.arrayContaining([
      ['good', 'input', '1'],
      ['bad-1', 'input', '2'],
    ]),
  );
  await app.database.deleteFrom('prices').execute();
});

it('lets one of several nodes claim an update, once per interval', async () => {
  const claims = await Promise.all([1, 2, 3].map(() => prices.claimUpdate(1000, 60)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await prices.claimUpdate(1059, 60)).toBe(false);
  expect(await prices.claimUpdate(1060, 60)).toBe(true);
});

it('[A73.6] claims an update again if the last one is recorded in the future, after the clock was set back', async () => {
  const [now, interval, year] = [1_900_000_000, 86_400, 31_536_000];
  expect(await prices.claimUpdate(now + year, interval)).toBe(true);
  expect(await prices.claimUpdate(now, interval)).toBe(true);
  expect(await prices.claimUpdate(now + interval - 1, interval)).toBe(false);
  // The clock of another node, a little behind.
  expect(await prices.claimUpdate(now - 60, interval)).toBe(false);
});
