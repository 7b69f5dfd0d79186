import type { DatabaseLocation } from '../../packages/server/src/db/database.ts';
import { startGateway } from './bench-gateway.ts';
import { startPart } from './bench-parts.ts';
import type { BenchServer, Starting } from './bench-server.ts';
import type { BenchStage } from './bench-stage.ts';
import { type Figure, median, percent } from './figures.ts';
import { type Load, load, type Target } from './load.ts';
import { type Address, chat, jsonTarget, streamQuestion, targetOf } from './questions.ts';

/** So wide that nobody is refused: what is measured is what the counting costs. */
const wide = 1_000_000_000_000;

/** What is switched on beside a plain gateway; all of it at once. */
const controls: Readonly<Record<string, (server: BenchServer) => Promise<unknown>>> = {
  'a limit': (server) =>
    server.call('POST', '/api/limit/', {
      measure: 'requests_per_minute',
      counts_per: 'token',
      model: 'gpt-*',
      amount: wide,
    }),
  'a budget': (server) =>
    server.call('POST', '/api/budget/', { kind: 'user', owner_id: 1, amount: wide, period: 'month' }),
  affinity: (server) => server.call('POST', '/api/routing/rules', { model: 'gpt-*', affinity: 'conversation' }),
  'two keys': (server) => server.call('POST', '/api/channel/1/keys', { keys: 'sk-bench-second' }),
};

/** At least as many requests a second as without, but for a twentieth, and no more than so much processor time for each. */
const bounds = { speed: 0.95, effort: 1.05 };

const kinds = {
  JSON: jsonTarget,
  '50-chunk stream': (address: Address) => targetOf(address, chat, streamQuestion, '[DONE]\n\n'),
} as const;

/** The relay with controls, and with one request of a hundred traced, beside itself without either. */
export async function controlFigures(stage: BenchStage, flags: readonly string[]): Promise<Figure[]> {
  const plain = await startBeside(stage, 'plain', {});
  const controlled = await startBeside(stage, 'controlled', { flags });
  for (const switchOn of Object.values(controls)) await switchOn(controlled.server);
  const collector = await startPart('bench-collector.ts');
  stage.cleanup.defer(() => collector.stop());
  const traced = await startBeside(stage, 'traced', {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    },
  });
  const others = [
    { name: `with ${Object.keys(controls).join(', ')}`, address: controlled },
    { name: '1 % traced', address: traced },
  ];
  const figures: Figure[] = [];
  for (const [kind, targetAt] of Object.entries(kinds)) {
    console.error(`${kind}…`);
    const loads = await inTurn(
      [plain, ...others.map(({ address }) => address)].map((address) => targetAt(address)),
      stage,
    );
    for (const [index, { name }] of others.entries())
      figures.push(...beside(`${kind}, ${name}`, loads[0] ?? [], loads[index + 1] ?? []));
  }
  return figures;
}

interface Started extends Address {
  readonly server: BenchServer;
}

async function startBeside(stage: BenchStage, name: string, starting: Starting): Promise<Started> {
  const location: DatabaseLocation = {
    dataDir: stage.folder(name),
    databaseUrl: await stage.database?.create(`bench_${name}`),
  };
  const { server, key } = await startGateway(location, starting, stage.upstream.port);
  stage.cleanup.defer(() => server.stop());
  return { server, url: server.address, pid: server.pid, key };
}

/** The loads of each target, round by round. Every other round goes backwards, so that none always follows the same. */
async function inTurn(targets: readonly Target[], { pace }: BenchStage): Promise<readonly (readonly Load[])[]> {
  const { connections, warm, rounds, seconds } = pace;
  for (const target of targets) await load(target, connections, warm);
  const loads: Load[][] = targets.map(() => []);
  const order = [...targets.keys()];
  for (let round = 0; round < rounds; round += 1) {
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      const target = targets[index];
      if (target) loads[index]?.push(await load(target, connections, seconds));
    }
  }
  return loads;
}

function beside(name: string, plain: readonly Load[], other: readonly Load[]): Figure[] {
  const ratio = (figure: (load: Load) => number) =>
    median(other.map((load, round) => figure(load) / figure(plain[round] ?? load)));
  const without = (figure: (load: Load) => number, digits: number) => median(plain.map(figure)).toFixed(digits);
  const perSecond = (load: Load) => load.perSecond;
  const cpuMs = (load: Load) => load.cpuMs;
  const [speed, effort] = [ratio(perSecond), ratio(cpuMs)];
  return [
    {
      name: `${name}: requests/s, of ${without(perSecond, 0)} without`,
      measured: percent(speed),
      bound: { text: `≥ ${percent(bounds.speed)}`, isKept: speed >= bounds.speed },
    },
    {
      name: `${name}: processor time per request, of ${without(cpuMs, 3)} ms without`,
      measured: `${effort.toFixed(2)} ×`,
      bound: { text: `≤ ${bounds.effort} ×`, isKept: effort <= bounds.effort },
    },
  ];
}
