import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootPassword } from './bench-gateway.ts';
import { type Address, jsonTarget } from './bench-requests.ts';
import type { BenchServer } from './bench-server.ts';
import type { BenchPace } from './compare.ts';
import { type Figure, formatMs, formatPercent, median } from './figures.ts';
import { cpuTime, type LoadResult, load, residentMegabytes } from './load.ts';

interface AttackedGateway {
  readonly server: BenchServer;
  /** Address that honest clients use. */
  readonly ours: Address;
  readonly pace: BenchPace;
}

interface Round {
  readonly ratio: number;
  readonly calm: Pauses;
  readonly hostile: Pauses;
}

type Pauses = Awaited<ReturnType<BenchServer['longestPause']>>;

const minRatio = 0.8;
const maxPauseMs = 100;
const settleMs = 500;

/** Measures honest clients alone and during attacks, alternately. */
export async function attackFigures({ server, ours, pace }: AttackedGateway): Promise<Figure[]> {
  const { rounds, seconds, warm, connections } = pace;
  const honest = jsonTarget(ours);
  const attackers = fork(join(import.meta.dirname, 'attackers.ts'), [
    server.address,
    await tokenOf(server, 'paying', 4_000_000_000_000),
    await tokenOf(server, 'empty', 0),
  ]);
  await once(attackers, 'message');
  try {
    await load(honest, connections, warm);
    const results: Round[] = [];
    let sent: readonly string[] = [];
    let strangerShare = 0;
    const alone = await cpuShareOfAttackers(server, seconds, attackers);
    for (let round = 0; round < rounds; round += 1) {
      await server.longestPause();
      const calm = await load(honest, connections, seconds);
      const calmPauses = await server.longestPause();
      const before = cpuTime(attackers.pid ?? 0);
      attackers.send('start');
      await sleep(settleMs);
      const busy: LoadResult = await load(honest, connections, seconds);
      const report = once(attackers, 'message') as Promise<[readonly string[]]>;
      attackers.send('stop');
      [sent] = await report;
      strangerShare = (cpuTime(attackers.pid ?? 0) - before) / (seconds * 1000 + settleMs);
      const hostile = await server.longestPause();
      results.push({ ratio: busy.perSecond / calm.perSecond, calm: calmPauses, hostile });
      console.error(
        `round ${round + 1}: ${formatPercent(busy.perSecond / calm.perSecond)}, ${formatMs(hostile.longest)}`,
      );
      await sleep(settleMs);
    }
    console.log(`\nRequests of the attackers in the last round:\n- ${sent.join('\n- ')}`);
    return [...figuresOf(results), ...asideOf(alone, strangerShare, residentMegabytes(server.pid))];
  } finally {
    attackers.kill('SIGTERM');
  }
}

/** The attackers' accounts and addresses differ from those of the honest client. */
async function tokenOf(server: BenchServer, username: string, quota: number): Promise<string> {
  await server.call('POST', '/api/user/', { username, password: rootPassword, display_name: username });
  const users = (await server.call('GET', `/api/user/search?keyword=${username}`)).data as { id: number }[];
  if (quota > 0) await server.call('POST', '/api/topup', { user_id: users[0]?.id, quota });
  const own = await server.signedIn(username, rootPassword);
  return ((await own.call('GET', '/api/token/')).data as { key: string }[])[0]?.key ?? '';
}

/** CPU share that the server spends on the attackers when there are no other requests. */
async function cpuShareOfAttackers(server: BenchServer, seconds: number, attackers: ChildProcess): Promise<number> {
  attackers.send('start');
  await sleep(settleMs);
  const before = cpuTime(server.pid);
  await sleep(seconds * 1000);
  const share = (cpuTime(server.pid) - before) / (seconds * 1000);
  const report = once(attackers, 'message');
  attackers.send('stop');
  await report;
  return share;
}

const asideOf = (alone: number, strangerShare: number, memory: number): Figure[] => [
  { name: 'CPU time spent on attackers alone', measured: `${formatPercent(alone)} of a core` },
  { name: 'CPU time of the attackers themselves', measured: `${formatPercent(strangerShare)} of a core` },
  { name: 'memory afterwards', measured: `${memory.toFixed(0)} MB` },
];

function figuresOf(results: readonly Round[]): Figure[] {
  const ratio = median(results.map((each) => each.ratio));
  const most = (pick: (round: Round) => number) => Math.max(...results.map(pick));
  const pause = most(({ hostile }) => hostile.longest);
  const work = most(({ hostile }) => hostile.longestWork);
  return [
    {
      name: 'honest requests/s under attack, relative to no attack',
      measured: formatPercent(ratio),
      bound: { text: `≥ ${formatPercent(minRatio)}`, isKept: ratio >= minRatio },
    },
    {
      name: 'longest pause of the event loop under attack',
      measured: formatMs(pause),
      bound: { text: `≤ ${maxPauseMs} ms`, isKept: pause <= maxPauseMs },
    },
    { name: 'longest part of it spent on own work', measured: formatMs(work) },
    {
      name: 'longest pause without attack, and own work',
      measured: `${formatMs(most(({ calm }) => calm.longest))}, ${formatMs(most(({ calm }) => calm.longestWork))}`,
    },
  ];
}
