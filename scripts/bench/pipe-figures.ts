import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from './bench-gateway.ts';
import { type Address, chatPath, chatRequestBody, jsonTarget, streamRequestBody, targetOf } from './bench-requests.ts';
import type { BenchStage } from './bench-stage.ts';
import { type Bounds, type Comparison, compareWithPipe } from './compare.ts';
import { type Figure, formatMs, formatPercent, median, quantile } from './figures.ts';
import { load, openStreams, residentMegabytes, type Target } from './load.ts';

/** Another gateway that is running and configured to relay gpt-4o to the same upstream. */
interface OtherGateway {
  readonly url: string;
  readonly key: string;
}

interface PipeStage extends BenchStage {
  readonly bare: Address;
  readonly ours: Address;
  /** Name prefix of the selected measurements. */
  readonly only: string;
  readonly other: OtherGateway | undefined;
}

const bounds = {
  sqlite: { json: { speed: 0.65, effort: 1.45 }, stream: { speed: 0.8, effort: 1.25 } },
  postgres: { json: { speed: 0.5, effort: 1.7 }, stream: { speed: 0.75, effort: 1.4 } },
} as const;
const ofOwnDialect = { speed: 0.75, effort: 1.3 };
const ofTranslation = { speed: 0.55, effort: 2.1 };
const maxAddedMs = 0.6;
const latencyConnections = 4;

/** The relay with all features on, compared to a bare node:http pipe. */
export async function pipeFigures(stage: PipeStage): Promise<Figure[]> {
  const { bare, ours, only, other, database } = stage;
  const figures: Figure[] = [];
  const against = async (name: string, targets: readonly [Target, Target], bound?: Bounds) => {
    if (!name.startsWith(only)) return undefined;
    const comparison = await compareWithPipe(name, targets, stage.pace, bound);
    figures.push(...comparison.figures);
    return comparison;
  };
  const { json, stream } = bounds[database ? 'postgres' : 'sqlite'];
  await against('JSON', [jsonTarget(bare), jsonTarget(ours)], json);
  const streams = (address: Address) => targetOf(address, chatPath, streamRequestBody, '[DONE]\n\n');
  const same = await against('50-chunk stream', [streams(bare), streams(ours)], stream);
  const claude = chatRequestBody('claude-3-5-haiku-latest', { stream: true, max_tokens: 500 });
  const responses = JSON.stringify({
    model: 'gpt-4.1',
    input: JSON.parse(streamRequestBody).messages,
    stream: true,
    store: false,
  });
  for (const [name, path, body] of [
    ['Anthropic to Anthropic', '/v1/messages', claude],
    ['Responses to Responses', '/v1/responses', responses],
  ] as const) {
    const at = (address: Address) => targetOf(address, path, body, '}\n\n');
    const own = await against(`50-chunk stream, ${name}`, [at(bare), at(ours)], ofOwnDialect);
    figures.push(...dialectFigures(name, same, own));
  }
  const translated = chatRequestBody('gpt-4o', { stream: true, max_tokens: 500 });
  await against(
    '50-chunk stream, Anthropic to OpenAI',
    [streams(bare), targetOf(ours, '/v1/messages', translated, '"message_stop"}\n\n')],
    ofTranslation,
  );
  const converted = chatRequestBody('claude-3-5-haiku-latest', { stream: true });
  await against(
    'converting stream (Anthropic)',
    [targetOf(bare, '/v1/messages', converted, '}\n\n'), targetOf(ours, chatPath, converted, '[DONE]\n\n')],
    ofTranslation,
  );
  if (other) figures.push(...(await otherFigures(stage, other)));
  if ('added p50'.startsWith(only)) figures.push(...(await latencyFigures(stage)));
  if (only === '') figures.push(await openStreamsFigure(ours));
  if (!database) {
    const name = 'JSON, LOG_LEVEL=error';
    if (name.startsWith(only)) await against(name, [jsonTarget(bare), jsonTarget(await startSilent(stage))]);
  }
  return figures;
}

/** Result for clients of another dialect whose upstream speaks the same dialect, relative to OpenAI clients. */
function dialectFigures(name: string, openai: Comparison | undefined, own: Comparison | undefined): Figure[] {
  if (!openai || !own) return [];
  const effort = own.effort / openai.effort;
  return [
    {
      name: `${name}: CPU time above the pipe, relative to OpenAI's chat`,
      measured: `${effort.toFixed(2)} ×`,
      bound: { text: '≤ 1.1 ×', isKept: effort <= 1.1 },
    },
  ];
}

/** A gateway without request logging to stdout. */
async function startSilent({ folder, upstream, cleanup }: PipeStage): Promise<Address> {
  const { server, key } = await startGateway(
    { dataDir: folder('silent'), databaseUrl: undefined },
    { settings: { LOG_LEVEL: 'error' } },
    upstream.port,
  );
  cleanup.defer(() => server.stop());
  return { url: server.address, pid: server.pid, key };
}

/** Another gateway under the same load, without its CPU time. */
async function otherFigures({ bare, pace }: PipeStage, { url, key }: OtherGateway): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, body, ending] of [
    ['JSON', chatRequestBody('gpt-4o'), '}'],
    ['50-chunk stream', streamRequestBody, '[DONE]\n\n'],
  ] as const) {
    console.error(`${url}: ${name}…`);
    const other = targetOf({ url, pid: 0, key: '' }, chatPath, body, ending);
    const ratios: number[] = [];
    for (let round = 0; round < pace.rounds; round += 1) {
      const piped = await load(targetOf(bare, chatPath, body, ending), pace.connections, pace.seconds);
      const headers = { authorization: `Bearer ${key}` };
      ratios.push((await load({ ...other, headers }, pace.connections, pace.seconds)).perSecond / piped.perSecond);
    }
    figures.push({
      name: `${url}, ${name}: requests/s, relative to the pipe's`,
      measured: formatPercent(median(ratios)),
    });
  }
  return figures;
}

/** On PostgreSQL a response ends after its commit: one round trip to the database and one flush to disk. */
async function latencyFigures({ bare, ours, pace, database }: PipeStage): Promise<Figure[]> {
  console.error('added latency…');
  const [p50s, p99s, flushes, trips]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const address of [bare, ours]) await load(jsonTarget(address), latencyConnections, pace.warm);
  for (let round = 0; round < pace.rounds; round += 1) {
    const piped = (await load(jsonTarget(bare), latencyConnections, pace.seconds)).latencies;
    const relayed = (await load(jsonTarget(ours), latencyConnections, pace.seconds)).latencies;
    p50s.push(quantile(relayed, 0.5) - quantile(piped, 0.5));
    p99s.push(quantile(relayed, 0.99) - quantile(piped, 0.99));
    flushes.push((await database?.flushMs()) ?? 0);
    trips.push((await database?.roundTripMs()) ?? 0);
  }
  const [p50, flush, trip] = [median(p50s), median(flushes), median(trips)];
  const max = flush + trip + maxAddedMs;
  return [
    ...(database
      ? [
          { name: 'one disk flush of PostgreSQL', measured: formatMs(flush) },
          { name: 'one round trip to PostgreSQL (select 1)', measured: formatMs(trip) },
        ]
      : []),
    {
      name: `added p50, ${latencyConnections} connections`,
      measured: formatMs(p50),
      bound: { text: `≤ ${formatMs(max)}`, isKept: p50 <= max },
    },
    { name: `added p99, ${latencyConnections} connections`, measured: formatMs(median(p99s)) },
  ];
}

async function openStreamsFigure(ours: Address): Promise<Figure> {
  console.error('1,000 open streams…');
  const pool = await openStreams(
    targetOf(ours, chatPath, chatRequestBody('gpt-4o', { stream: true, user: 'hold the line' }), ''),
    1000,
  );
  const after = residentMegabytes(ours.pid);
  await sleep(5000);
  const later = residentMegabytes(ours.pid);
  await pool.destroy();
  return {
    name: 'memory with 1,000 open streams, and 5 s later',
    measured: `${after.toFixed(0)} MB, ${later.toFixed(0)} MB`,
    bound: { text: 'flat, under 300 MB', isKept: later < 300 && later < after * 1.1 },
  };
}
