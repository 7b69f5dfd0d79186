import { parseArgs } from 'node:util';
import { simulate } from './simulation/simulated-cluster.ts';

/**
 * `npm run simulate -- [--nodes 100] [--users 1000000] [--rate 20000] [--seconds 30] [--round-trip 1] [--affinity 0]
 * [--kills 3]`: nodes that share a database, with a simulated clock and network, and the gateway's rules for leases
 * and batches of charges.
 */
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    users: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '30' },
    'round-trip': { type: 'string', default: '1' },
    affinity: { type: 'string', default: '0' },
    kills: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const began = performance.now();
const result = simulate({
  nodes: Number(values.nodes),
  users: Number(values.users),
  rate: Number(values.rate),
  seconds,
  roundTripMs: Number(values['round-trip']),
  affinity: Number(values.affinity),
  kills: Number(values.kills),
});
const perSecond = (count: number) => `${(count / seconds).toFixed(0)}/s`;
const lines: readonly [string, string][] = [
  ['requests served', `${result.served} (rejected ${result.rejected}, lost with their node ${result.lost})`],
  ['points spent, and charged by nodes', `${result.before - result.after}, ${result.charged}`],
  ['lowest balance of a user', String(result.least)],
  ['batches of charges', `${perSecond(result.groups)}, ${(result.charges / result.groups).toFixed(1)} charges each`],
  [
    'lease transactions',
    `${perSecond(result.leaseTransactions)}, of which waited for a row lock ${perSecond(result.lockWaits)}`,
  ],
  ['lease notifications, and deliveries', `${perSecond(result.notices)}, ${perSecond(result.deliveries)}`],
  ['lease rows before and after shutdown', `${result.leasesBefore}, ${result.leasesAfter}`],
  ['most users cached by one node', String(result.maxHolders)],
  ['CPUs used by PostgreSQL', (result.busyMs / (seconds * 1000)).toFixed(1)],
];
for (const [name, value] of lines) console.log(`${name.padEnd(42)} ${value}`);
console.error(`${((performance.now() - began) / 1000).toFixed(1)} s`);
const isBalanced = result.before - result.after === result.charged && result.least >= 0 && result.leasesAfter === 0;
process.exitCode = isBalanced ? 0 : 1;
