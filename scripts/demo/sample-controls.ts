import type { BenchServer } from '../bench/bench-server.ts';
import type { DemoData } from './sample-data.ts';

/** Limits, budgets and routing rules that the demo never reaches, and a status page. */
export async function createSampleControls(server: BenchServer, { channels, people }: DemoData): Promise<void> {
  const options = { StatusPageEnabled: 'true', RetryTimes: '2' };
  for (const [key, value] of Object.entries(options)) await server.call('PUT', '/api/option/', { key, value });
  const channel = (name: string) => channels.find((each) => each.name === name)?.id;
  const person = (username: string) => people.find((each) => each.username === username)?.id;
  for (const limit of [
    {
      group: 'default',
      model: 'gpt-*',
      measure: 'requests_per_minute',
      amount: 600,
      counts_per: 'user',
      note: 'fair share',
    },
    { channel_id: channel('claude-team'), measure: 'tokens_per_minute', amount: 400_000, note: 'what we bought' },
  ])
    await server.call('POST', '/api/limit/', limit);
  for (const budget of [
    {
      kind: 'user',
      owner_id: person('grace-hopper'),
      amount: 50_000_000,
      period: 'month',
      note: 'continuous integration',
    },
    { kind: 'user', owner_id: person('linus'), amount: 1_000_000, period: 'day', time_zone: 'Europe/Helsinki' },
    { kind: 'group', group: 'vip', amount: 250_000_000, period: 'month' },
  ])
    await server.call('POST', '/api/budget/', budget);
  for (const rule of [
    { model: 'claude-*', affinity: 'conversation' },
    { model: 'gpt-4o-mini', strategy: 'quickest', fallbacks: 'deepseek-chat' },
  ])
    await server.call('POST', '/api/routing/rules', rule);
}
