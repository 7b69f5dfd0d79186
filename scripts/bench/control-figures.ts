import { startGateway } from './bench-gateway.ts';
import type { BenchServer } from './bench-server.ts';
import type { BenchStage } from './bench-stage.ts';
import { type Figure, median, percent } from './figures.ts';
import { load, type Target } from './load.ts';
import { type Address, chat, jsonTarget, streamQuestion, targetOf } from './questions.ts';

/** What can be switched on beside a plain gateway, each by one call or a few; all of them are on at once. */
const controls: Readonly<Record<string, (server: BenchServer) => Promise<unknown>>> = {
  'a limit': async (server) => {
    for (const [measure, counts_per] of [
      ['requests_per_minute', 'token'],
      ['tokens_per_minute', 'user'],
      ['requests_under_way', 'all'],
    ] as const) {
      // So wide that nobody is refused: what is measured is what the counting costs.
      await server.call('POST', '/api/limit/', { measure, counts_per, model: 'gpt-*', amount: 1_000_000_000_000 });
    }
  },
};

const leastKept = 0.95;

/** The gateway with everything switched on beside the same without. */
export async function controlFigures(stage: BenchStage, plain: Address): Promise<Figure[]> {
  const controlled = await startControlled(stage);
  const streams = (address: Address) => targetOf(address, chat, streamQuestion, '[DONE]\n\n');
  return [
    await figureOf('JSON', stage, [jsonTarget(plain), jsonTarget(controlled)]),
    await figureOf('50-chunk stream', stage, [streams(plain), streams(controlled)]),
  ];
}

/** In turn, so that a busy moment of the machine meets both alike. */
async function figureOf(
  kind: string,
  { pace: { connections, warm, rounds, seconds } }: BenchStage,
  [plain, controlled]: readonly [Target, Target],
): Promise<Figure> {
  const name = `${kind}, with ${Object.keys(controls).join(', ')}`;
  console.error(`${name}…`);
  for (const target of [plain, controlled]) await load(target, connections, warm);
  const kept: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const without = await load(plain, connections, seconds);
    kept.push((await load(controlled, connections, seconds)).perSecond / without.perSecond);
  }
  const part = median(kept);
  return {
    name: `${name}: requests/s, of those without`,
    measured: percent(part),
    bound: { text: `≥ ${percent(leastKept)}`, isKept: part >= leastKept },
  };
}

async function startControlled({ folder, database, upstream, cleanup }: BenchStage): Promise<Address> {
  const location = { dataDir: folder('controlled'), databaseUrl: await database?.create('controlled') };
  const { server, key } = await startGateway(location, {}, upstream.port);
  cleanup.defer(() => server.stop());
  for (const switchOn of Object.values(controls)) await switchOn(server);
  return { url: server.address, pid: server.pid, key };
}
