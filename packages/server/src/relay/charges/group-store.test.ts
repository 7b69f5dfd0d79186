import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nowInSeconds } from '../../clock.ts';
import type { Charge } from './charge.ts';
import type { ChargeGroupRepository } from './charge-group-repository.ts';
import { GroupStore } from './group-store.ts';
import { LocalChargeJournal } from './local-charge-journal.ts';
import { storeLocalCharges } from './store-local-charges.ts';

const chargeOf = (quota: number): Charge => ({
  quota,
  user: 1,
  token: 2,
  isTokenLimited: false,
  channel: 3,
  budgets: undefined,
  record: undefined,
  kept: undefined,
});

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What was stored: writer, number and points; and the lowest number that may be forgotten. */
function memoryGroups(isAway: () => boolean) {
  const stored = new Map<string, number[]>();
  const forgotten: number[] = [];
  const of = (writer: number) => ({
    writer,
    store: async (number: number, charges: readonly Charge[]) => {
      if (isAway()) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      const key = `${writer} ${number}`;
      if (!stored.has(key))
        stored.set(
          key,
          charges.map(({ quota }) => quota),
        );
    },
    forgetBefore: async (number: number) => void forgotten.push(number),
    forgetOld: async () => undefined,
  });
  return { stored, forgotten, of: (writer: number) => of(writer) as unknown as ChargeGroupRepository };
}

const silent = { info: () => undefined, error: () => undefined };

test('[A70.5] saves groups that the database does not take, and the next start stores each under its id once', async () => {
  const folder = folderOfTest();
  let isAway = true;
  const groups = memoryGroups(() => isAway);
  const saved: number[] = [];
  const store = new GroupStore({
    groups: groups.of(7),
    keptResponses: { forgetExpired: async () => undefined },
    local: new LocalChargeJournal(folder, 7),
    onFailure: () => undefined,
    onSaved: (charges) => saved.push(charges.length),
  });
  const storing = store.store([chargeOf(10), chargeOf(20)]);
  store.saveLocally();
  await storing;
  expect(saved).toEqual([2]);
  // The id of a group that may have been committed is not forgotten.
  await store.close();
  expect(groups.forgotten).toEqual([1]);
  const { length } = readdirSync(folder);
  expect(length).toBe(1);
  await storeLocalCharges({ folder, groupsOf: groups.of, log: silent });
  expect([groups.stored.size, readdirSync(folder).length]).toEqual([0, 1]);
  isAway = false;
  await storeLocalCharges({ folder, groupsOf: groups.of, log: silent });
  expect([...groups.stored]).toEqual([['7 1', [10, 20]]]);
  expect(readdirSync(folder)).toEqual([]);
});

test('[A70.5] keeps and reports local charges that are too old to be told apart or cannot be read', async () => {
  const folder = folderOfTest();
  const groups = memoryGroups(() => false);
  const journal = new LocalChargeJournal(folder, 8);
  journal.append(1, [chargeOf(5)], nowInSeconds() - 30 * 86_400);
  journal.append(2, [chargeOf(6)], nowInSeconds());
  writeFileSync(join(folder, 'unsettled-charges-9.jsonl'), '[8,3\n{}\n');
  const errors: object[] = [];
  const log = { ...silent, error: (fields: object) => void errors.push(fields) };
  await storeLocalCharges({ folder, groupsOf: groups.of, log });
  expect([...groups.stored]).toEqual([['8 2', [6]]]);
  expect(errors).toEqual([
    expect.objectContaining({ charges: 1, quota: 5, unreadable: 0 }),
    expect.objectContaining({ charges: 0, quota: 0, unreadable: 2 }),
  ]);
  expect(readdirSync(folder).length).toBe(2);
});

test('[A70.5] stores what another process appends to its file meanwhile', async () => {
  const folder = folderOfTest();
  const groups = memoryGroups(() => false);
  const journal = new LocalChargeJournal(folder, 8);
  journal.append(1, [chargeOf(5)], nowInSeconds());
  const groupsOf = (writer: number) => ({
    store: async (number: number, charges: readonly Charge[]) => {
      if (number === 1 && groups.stored.size === 0) journal.append(2, [chargeOf(6)], nowInSeconds());
      await groups.of(writer).store(number, charges);
    },
  });
  await storeLocalCharges({ folder, groupsOf, log: silent });
  expect([...groups.stored]).toEqual([
    ['8 1', [5]],
    ['8 2', [6]],
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test('[A70.5] a line that was written in part spoils no other, and a file that cannot be read no start', async () => {
  const folder = folderOfTest();
  const groups = memoryGroups(() => false);
  mkdirSync(join(folder, 'unsettled-charges-1.jsonl'));
  writeFileSync(join(folder, 'unsettled-charges-8.jsonl'), '[8,1,170');
  new LocalChargeJournal(folder, 8).append(2, [chargeOf(6)], nowInSeconds());
  const errors: object[] = [];
  const log = { ...silent, error: (fields: object) => void errors.push(fields) };
  await storeLocalCharges({ folder, groupsOf: groups.of, log });
  expect([...groups.stored]).toEqual([['8 2', [6]]]);
  expect(errors).toEqual([
    expect.objectContaining({ path: join(folder, 'unsettled-charges-1.jsonl') }),
    expect.objectContaining({ charges: 0, unreadable: 1 }),
  ]);
});
