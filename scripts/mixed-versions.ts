import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { exitCodes, runMain, UsageError } from '../packages/server/src/commands/run-main.ts';
import { StartFailure } from '../packages/server/src/platform/errors/start-failure.ts';
import { BenchDatabase } from './bench/bench-database.ts';
import { rootPassword, startGateway } from './bench/bench-gateway.ts';
import { BenchServer } from './bench/bench-server.ts';
import { startChild } from './bench/child-process.ts';
import { type Figure, tableOf } from './bench/figures.ts';
import { RecordingClients } from './mixed-versions/recording-clients.ts';
import { startDurablePostgres } from './postgres/start-postgres.ts';

interface LedgerSources {
  readonly database: BenchDatabase;
  readonly witnesses: RecordingClients;
  readonly ledger: { readonly drift: number; readonly log_drift: number };
}

const nothing = (name: string, found: number): Figure => ({
  name,
  measured: String(found),
  bound: { text: '0', isKept: found === 0 },
});

/** Compares the responses that clients recorded with the ledger. */
async function ledgerFigures({ database, witnesses, ledger }: LedgerSources): Promise<readonly Figure[]> {
  const rows = await database.ask('select request_id, quota from logs where type = 2');
  const [user] = await database.ask('select used_quota, request_count from users_now where id = 1');
  const times = new Map<string, number>();
  for (const { request_id } of rows) times.set(String(request_id), (times.get(String(request_id)) ?? 0) + 1);
  const charged = rows.reduce((sum, { quota }) => sum + Number(quota), 0);
  const prices = new Set(rows.map(({ quota }) => Number(quota)));
  return [
    { name: 'responses that clients saw', measured: String(witnesses.seen.length) },
    nothing('of them not in the log', witnesses.seen.filter((id) => !times.has(id)).length),
    nothing('log entries that exist twice', [...times.values()].filter((count) => count > 1).length),
    nothing('log entries of responses that no client saw', rows.length - witnesses.seen.length),
    nothing('requests that were rejected or interrupted', witnesses.unexpected),
    { name: 'charges in the log', measured: [...prices].join(', ') },
    nothing('charged but not in the log', Number(user?.['used_quota']) - charged),
    nothing('requests counted but not in the log', Number(user?.['request_count']) - rows.length),
    nothing('ledger off by', ledger.drift),
    nothing('and from the log by', ledger.log_drift),
  ];
}

/**
 * `npm run mixed-versions -- --old ../headgate-0.1 [--seconds 20]`: an upgrade without downtime. A node of another
 * checkout serves, one of this checkout starts on the same PostgreSQL and migrates the schema under load, both serve,
 * then the old one stops. Afterwards every response that a client saw must be logged and charged once, and the ledger
 * balanced.
 */
const { values } = parseArgs({
  options: {
    /** A folder with an older version and its node_modules. */
    old: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '6' },
  },
});
const ms = Number(values.seconds) * 1000;
const clients = Number(values.clients);
const topUpEveryMs = 500;

await runMain(async () => {
  const oldRoot = oldCheckout(values.old);
  await using cleanup = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-mixed-'));
  cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const upstream = await startChild('bench-upstream.ts', '0');
  cleanup.defer(() => upstream.stop());
  const postgres = await startDurablePostgres();
  cleanup.defer(postgres.stop);
  const server = new BenchDatabase(postgres.url);
  cleanup.defer(() => server.end());
  const location = { dataDir, databaseUrl: await server.create('mixed_versions') };

  const old = await startGateway(location, { root: oldRoot }, upstream.port).catch((error: Error) => {
    throw new StartFailure(`The version in ${oldRoot} cannot be used: ${error.message}`);
  });
  cleanup.defer(() => old.server.stop());
  const witnesses = new RecordingClients(old.key);
  witnesses.ask('old', old.server.address, clients);
  await sleep(ms / 4);
  console.error('the old node serves; starting a new one');
  const next = await BenchServer.start(location);
  cleanup.defer(() => next.stop());
  await next.signIn('root', rootPassword);
  witnesses.ask('new', next.address, clients);
  let given = 0;
  const end = performance.now() + ms;
  while (performance.now() < end) {
    // A change by an admin on one node applies on both.
    const admin = given % 2 === 0 ? old.server : next;
    await admin.call('POST', '/api/topup', { user_id: 1, quota: 1000 });
    given += 1;
    await sleep(topUpEveryMs);
  }
  console.error('stopping the old node');
  await witnesses.leave('old');
  await old.server.stop();
  await sleep(ms / 4);
  await witnesses.leave('new');

  const database = new BenchDatabase(location.databaseUrl);
  cleanup.defer(() => database.end());
  const ledger = (await next.call('GET', '/api/ledger')).data as { drift: number; log_drift: number };
  const figures = await ledgerFigures({ database, witnesses, ledger });
  console.log(`\n${witnesses.tally()}; ${given} top-ups, alternating between both\n`);
  console.log(tableOf(figures));
  return figures.every(({ bound }) => bound?.isKept ?? true) ? exitCodes.done : exitCodes.failed;
});

/** Folder of the older version. */
function oldCheckout(given: string | undefined): string {
  if (given === undefined || given === '')
    throw new UsageError('Set the folder of the older version: npm run mixed-versions -- --old <folder>');
  const root = resolve(given);
  if (existsSync(join(root, 'packages/server/src/main.ts'))) return root;
  throw new StartFailure(`${root} is not a checkout of Headgate: it has no packages/server/src/main.ts.`);
}
