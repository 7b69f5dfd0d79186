import { routingRuleDefaults } from '@headgate/contract';
import { expect, test } from 'vitest';
import { RoutingTable } from './routing-table.ts';

const rule = { ...routingRuleDefaults, id: 1, model: 'gpt-*', fallbacks: 'other', created_time: 0 };

test('[A47.11] names that clients invent, however many and however long, take little memory and change no answer', async () => {
  const table = new RoutingTable({ rules: async () => [rule], aliases: async () => [] });
  await table.load();
  const long = 'x'.repeat(100_000);
  for (let count = 0; count < 30_000; count += 1) {
    expect(table.find('default', `invented-${count}`)).toBeUndefined();
    if (count % 100 === 0) expect(table.find('default', `gpt-${long}${count}`)?.row).toBe(rule);
    if (count % 5000 === 4999) expect(table.rememberedLength).toBeLessThan(1_000_000);
  }
  expect(table.find('default', 'gpt-5')?.row).toBe(rule);
});
