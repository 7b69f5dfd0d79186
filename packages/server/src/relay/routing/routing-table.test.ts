import { type ModelAlias, type RoutingRule, routingRuleDefaults, wildcardMatch } from '@headgate/contract';
import { expect, test } from 'vitest';
import { RoutingTable } from './routing-table.ts';

const rule = { ...routingRuleDefaults, id: 1, model: 'gpt-*', fallbacks: 'other', created_time: 0 };

test('[A47.11] keeps memory small and results correct for any number and length of made-up names', async () => {
  const table = new RoutingTable({ rules: async () => [rule], aliases: async () => [] });
  await table.load();
  const long = 'x'.repeat(100_000);
  let found = 0;
  for (let count = 0; count < 30_000; count += 1) {
    if (table.find('default', `invented-${count}`) !== undefined) found += 1;
    if (count % 1000 === 0) expect(table.find('default', `gpt-${long}${count}`)?.row).toBe(rule);
    if (count % 5000 === 4999) expect(table.rememberedLength).toBeLessThan(250_000);
  }
  expect(found).toBe(0);
  expect(table.find('default', 'gpt-5')?.row).toBe(rule);
});

const made = (fields: Partial<RoutingRule>, id: number): RoutingRule => ({ ...rule, group: '', ...fields, id });
const named = (pattern: string, id: number): ModelAlias => ({ id, pattern, model: 'gpt-5', created_time: 0 });

test('[A53.9] does not check ten thousand rules and aliases for other groups and models', async () => {
  const foreign = Array.from({ length: 10_000 }, (_, nth) => nth + 10);
  const rules = [
    ...foreign.map((nth) => made({ model: `model${nth}`, group: nth % 2 === 0 ? 'default' : '' }, nth)),
    ...foreign.map((nth) => made({ model: 'gpt-*', group: `group${nth}` }, nth)),
    made({ model: 'gpt-*', group: 'default' }, 1),
    made({ model: '' }, 2),
  ];
  const aliases = [...foreign.map((nth) => named(`name${nth}`, nth)), named('our-*', 1)];
  const table = new RoutingTable({ rules: async () => rules, aliases: async () => aliases });
  await table.load();
  expect(table.comparedWith('default').map((list) => list.map(({ row }) => row.id))).toEqual([[1], [2]]);
  expect(table.aliasesComparedWith('our-best').map(({ id }) => id)).toEqual([1]);
  expect(table.aliasesComparedWith('name77').map(({ id }) => id)).toEqual([77]);
  expect([table.find('default', 'gpt-5')?.row.id, table.find('default', 'model78')?.row.id]).toEqual([1, 78]);
  expect(table.aliasOf('our-best')).toMatchObject({ model: 'gpt-5' });
});

test('[A53.9] finds the most specific of any set of rules', async () => {
  const patterns = ['', '*', 'gpt-*', '*-5', 'gpt-5', 'gpt-4o', 'gpt-5*'];
  const rules = ['', 'default', 'vip'].flatMap((group, row) =>
    patterns.map((model, column) => made({ group, model }, row * 10 + column)),
  );
  // Exact name over pattern, longer pattern first, named group over all groups.
  const rank = ({ group, model }: RoutingRule) =>
    (model.includes('*') || model === '' ? 0 : 1000) + (model || '*').length * 2 + (group === '' ? 0 : 1);
  const sorted = rules.toSorted((one, other) => rank(other) - rank(one));
  for (const left of [sorted, sorted.filter(({ id }) => id % 3 > 0), sorted.filter(({ id }) => id % 2 > 0)]) {
    const table = new RoutingTable({ rules: async () => left, aliases: async () => [] });
    await table.load();
    for (const group of ['default', 'vip', 'other', ''])
      for (const model of ['gpt-5', 'gpt-4o', 'gpt-5-mini', 'o-5', 'o3', ''])
        expect(table.find(group, model)?.row).toBe(
          left.find(
            (row) =>
              ['', group].includes(row.group) && (row.model === '' || wildcardMatch(row.model, model) !== undefined),
          ),
        );
  }
});
