import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from './bench-gateway.ts';
import { BenchServer } from './bench-server.ts';
import type { BenchStage } from './bench-stage.ts';
import type { Figure } from './figures.ts';
import { residentMegabytes } from './load.ts';
import { SoakClients } from './soak-clients.ts';

const minuteMs = 60_000;
const maxGrowth = 1.2;
/** Number of handles that open and close with connections. */
const spareHandles = 20;
const settleMs = 3000;

interface Sample {
  readonly megabytes: number;
  readonly handles: number;
}

/** Load with disconnects and failures for some minutes, restarting one node other than the first each minute. */
export async function soakFigures(stage: BenchStage, minutes: number, count: number): Promise<Figure[]> {
  const { database, folder, upstream, cleanup } = stage;
  if (!database) throw new Error('Several nodes need PostgreSQL.');
  const location = { dataDir: folder('soak'), databaseUrl: await database.create('bench_soak') };
  const { server: first, key } = await startGateway(location, {}, upstream.port);
  // URL on which no server listens.
  const base_url = 'http://127.0.0.1:1';
  await first.call('POST', '/api/channel/', { name: 'failing', type: 8, key: 'sk', base_url, models: 'failing' });
  const nodes = [first];
  cleanup.defer(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  });
  while (nodes.length < count) nodes.push(await BenchServer.start(location));
  const clients = new SoakClients(() => nodes.map(({ address }) => address), key);
  clients.start();
  const samples: Sample[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const end = performance.now() + minuteMs;
    const restarted = 1 + (minute % (count - 1));
    await nodes[restarted]?.stop();
    nodes[restarted] = await BenchServer.start(location);
    await sleep(Math.max(0, end - performance.now()));
    const all = nodes.map(sampleOf);
    samples.push(...all.slice(0, 1));
    const sampleTexts = all.map(({ megabytes, handles }) => `${megabytes.toFixed(0)} MB ${handles} handles`).join(', ');
    console.error(`minute ${minute}: ${sampleTexts}; ${clients.tally()}`);
  }
  await clients.stop();
  await sleep(settleMs);
  const ledger = (await first.call('GET', '/api/ledger')).data as { drift: number; log_drift: number };
  console.log(`\n${clients.tally()}`);
  return [
    growth('memory of the node that was not restarted, by minute', samples, ({ megabytes }) => megabytes, 0),
    growth('its handles, by minute', samples, ({ handles }) => handles, spareHandles),
    {
      name: 'ledger off by, and from the log by',
      measured: `${ledger.drift}, ${ledger.log_drift}`,
      bound: { text: '0, 0', isKept: ledger.drift === 0 && ledger.log_drift === 0 },
    },
    {
      name: 'responses interrupted without a restart of their node',
      measured: String(clients.unexpected),
      bound: { text: '0', isKept: clients.unexpected === 0 },
    },
  ];
}

const sampleOf = ({ pid }: BenchServer): Sample => ({
  megabytes: residentMegabytes(pid),
  handles: readdirSync(`/proc/${pid}/fd`).length,
});

/** The first minute warms up; later ones must not exceed the second by much. */
function growth(name: string, samples: readonly Sample[], pick: (sample: Sample) => number, spare: number): Figure {
  const values = samples.map(pick);
  const [start = 0, last = 0] = [values[1] ?? values[0], values.at(-1)];
  return {
    name,
    measured: values.map((value) => value.toFixed(0)).join(', '),
    bound: { text: `flat: the last ≤ ${maxGrowth} × the second`, isKept: last <= start * maxGrowth + spare },
  };
}
