import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rootPassword, startGateway } from './bench/bench-gateway.ts';
import { startPart } from './bench/bench-parts.ts';
import { type Figure, median, tableOf } from './bench/figures.ts';
import { hostileFigures } from './bench/hostile.ts';
import { holdStreams, type Load, load, residentMegabytes, type Target } from './bench/load.ts';
import { startPostgres } from './postgres/start-postgres.ts';

/**
 * `npm run bench -- [--seconds 3] [--rounds 5] [--warm 8] [--postgres] [--only JSON] [--hostile] [--profile folder] [--url http://… --key … --upstream-port …]`: the relay with everything on
 * beside a bare node:http pipe, in turn within one run; or, with `--hostile`, honest clients alone and beside strangers
 * who do their worst.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    /** Seconds before measuring: a gateway runs for weeks, and the engine is done compiling after some ten thousand requests. */
    warm: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64' },
    postgres: { type: 'boolean' },
    /** A folder for a profile of the server's processor time. */
    profile: { type: 'string' },
    hostile: { type: 'boolean' },
    only: { type: 'string', default: '' },
    /** Another gateway, already running and set up to relay gpt-4o to `--upstream-port`. */
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    'upstream-port': { type: 'string', default: '0' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const warm = Number(values.warm);
const connections = Number(values.connections);

await using cleanup = new AsyncDisposableStack();
const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
const upstream = await startPart('bench-upstream.ts', values['upstream-port']);
cleanup.defer(() => upstream.stop());
const pipe = await startPart('bare-pipe.ts', String(upstream.port));
cleanup.defer(() => pipe.stop());
const database = values.postgres ? await startPostgres() : undefined;
if (database) cleanup.defer(database.stop);
const gateway = await startGateway(
  { dataDir: join(dataDir, 'told'), databaseUrl: database?.url },
  {
    flags: [
      ...(values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]),
      ...(values.hostile ? ['--import', join(import.meta.dirname, 'bench/pause-watch.ts')] : []),
    ],
  },
  upstream.port,
);
const { server } = gateway;
cleanup.defer(() => server.stop());

const question = (model: string, fields: object = {}) =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'tell me about locks and weirs '.repeat(28) }],
    ...fields,
  });
const at = (
  address: { url: string; pid: number; key?: string },
  path: string,
  body: string,
  ending: string,
): Target => ({
  url: address.url,
  pid: address.pid,
  path,
  body,
  ending,
  headers: { authorization: `Bearer sk-${address.key ?? gateway.key}` },
});
const ours = { url: server.address, pid: server.pid };
const bare = { url: `http://127.0.0.1:${pipe.port}`, pid: pipe.pid };
const chat = '/v1/chat/completions';
const streaming = { stream: true, stream_options: { include_usage: true } };

const stream = question('gpt-4o', streaming);

const figures: Figure[] = [];
if (values.hostile) await underAttack();
else await besideThePipe();
console.log(
  `\n${values.postgres ? 'PostgreSQL' : 'SQLite'}, ${connections} connections, ${rounds} rounds of ${seconds} s in turn; ` +
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}\n`,
);
console.log(tableOf(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;

async function besideThePipe(): Promise<void> {
  await compare(
    'JSON',
    [at(bare, chat, question('gpt-4o'), '}'), at(ours, chat, question('gpt-4o'), '}')],
    [0.85, 1.2],
  );
  const same = await compare(
    '50-chunk stream',
    [at(bare, chat, stream, '[DONE]\n\n'), at(ours, chat, stream, '[DONE]\n\n')],
    [0.95, 1.1],
  );
  await otherDialects(same);
  const claude = question('claude-3-5-haiku-latest', { stream: true });
  await compare(
    'converting stream (Anthropic)',
    [at(bare, '/v1/messages', claude, '}\n\n'), at(ours, chat, claude, '[DONE]\n\n')],
    [0.55, 2.1],
  );
  if (values.url !== undefined) await beside(values.url);
  if (values.only === '') {
    await addedLatency();
    await openStreams();
  }
  await inSilence();
}

/** The same without a line for each request. */
async function inSilence(): Promise<void> {
  const name = 'JSON, LOG_LEVEL=error';
  if (database || !name.startsWith(values.only)) return;
  const silent = await startGateway(
    { dataDir: join(dataDir, 'silent'), databaseUrl: undefined },
    { settings: { LOG_LEVEL: 'error' } },
    upstream.port,
  );
  cleanup.defer(() => silent.server.stop());
  const quiet = { url: silent.server.address, pid: silent.server.pid, key: silent.key };
  await compare(name, [at(bare, chat, question('gpt-4o'), '}'), at(quiet, chat, question('gpt-4o'), '}')]);
}

/** Clients that speak another dialect: to an upstream of the same, and translated. */
async function otherDialects(openai: Ratios | undefined): Promise<void> {
  const claude = question('claude-3-5-haiku-latest', { stream: true, max_tokens: 500 });
  const responses = JSON.stringify({
    model: 'gpt-4.1',
    input: JSON.parse(stream).messages,
    stream: true,
    store: false,
  });
  for (const [name, path, body] of [
    ['Anthropic to Anthropic', '/v1/messages', claude],
    ['Responses to Responses', '/v1/responses', responses],
  ] as const) {
    const own = await compare(
      `50-chunk stream, ${name}`,
      [at(bare, path, body, '}\n\n'), at(ours, path, body, '}\n\n')],
      [0.75, 1.3],
    );
    if (!openai || !own) continue;
    const effort = own.effort / openai.effort;
    figures.push({
      name: `${name}: processor time beside the pipe, of OpenAI's chat`,
      measured: `${effort.toFixed(2)} ×`,
      bound: { text: '≤ 1.1 ×', isKept: effort <= 1.1 },
    });
  }
  const translated = question('gpt-4o', { stream: true, max_tokens: 500 });
  await compare(
    '50-chunk stream, Anthropic to OpenAI',
    [at(bare, chat, stream, '[DONE]\n\n'), at(ours, '/v1/messages', translated, '"message_stop"}\n\n')],
    [0.55, 2.1],
  );
}

/** The strangers' accounts are others than the honest one's, as their address is. */
async function underAttack(): Promise<void> {
  const tokenOf = async (username: string, quota: number) => {
    await server.call('POST', '/api/user/', { username, password: rootPassword, display_name: username });
    const users = (await server.call('GET', `/api/user/search?keyword=${username}`)).data as { id: number }[];
    if (quota > 0) await server.call('POST', '/api/topup', { user_id: users[0]?.id, quota });
    const own = await server.signedIn(username, rootPassword);
    return ((await own.call('GET', '/api/token/')).data as { key: string }[])[0]?.key ?? '';
  };
  const keys = { paying: await tokenOf('paying', 4_000_000_000_000), empty: await tokenOf('empty', 0) };
  const honest = at(ours, chat, question('gpt-4o'), '}');
  const { figures: measured, sent } = await hostileFigures({
    server,
    honest,
    keys,
    rounds,
    seconds,
    warm,
    connections,
  });
  figures.push(...measured);
  console.log(`\nIn the last round the strangers sent, beside the honest clients:\n- ${sent.join('\n- ')}`);
}

/** Both in turn, so that a busy moment of the machine meets them alike. */
async function compare(
  name: string,
  [pipeTarget, ownTarget]: [Target, Target],
  bounds?: readonly [speed: number, effort: number],
): Promise<Ratios | undefined> {
  if (!name.startsWith(values.only)) return undefined;
  console.error(`${name}…`);
  const speeds: number[] = [];
  const efforts: number[] = [];
  let last: [Load, Load] | undefined;
  await load(pipeTarget, connections, warm);
  await load(ownTarget, connections, warm);
  for (let round = 0; round < rounds; round += 1) {
    const piped = await load(pipeTarget, connections, seconds);
    const relayed = await load(ownTarget, connections, seconds);
    speeds.push(relayed.perSecond / piped.perSecond);
    efforts.push(relayed.cpuMs / piped.cpuMs);
    last = [piped, relayed];
  }
  const speedRatio = median(speeds);
  const effortRatio = median(efforts);
  figures.push(
    {
      name: `${name}: requests/s, of the pipe's ${last?.[0].perSecond.toFixed(0)}`,
      measured: percent(speedRatio),
      ...(bounds && { bound: { text: `≥ ${percent(bounds[0])}`, isKept: speedRatio >= bounds[0] } }),
    },
    {
      name: `${name}: processor time per request, of the pipe's ${last?.[0].cpuMs.toFixed(3)} ms`,
      measured: `${effortRatio.toFixed(2)} ×`,
      ...(bounds && { bound: { text: `≤ ${bounds[1]} ×`, isKept: effortRatio <= bounds[1] } }),
    },
  );
  return { speed: speedRatio, effort: effortRatio };
}

interface Ratios {
  readonly speed: number;
  readonly effort: number;
}

/** Another gateway under the same load; its processor time is its own affair. */
async function beside(url: string): Promise<void> {
  for (const [name, body, ending] of [
    ['JSON', question('gpt-4o'), '}'],
    ['50-chunk stream', stream, '[DONE]\n\n'],
  ] as const) {
    console.error(`${url}: ${name}…`);
    const other = { ...at({ url, pid: 0 }, chat, body, ending), headers: { authorization: `Bearer ${values.key}` } };
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const piped = await load(at(bare, chat, body, ending), connections, seconds);
      ratios.push((await load(other, connections, seconds)).perSecond / piped.perSecond);
    }
    figures.push({ name: `${url}, ${name}: requests/s, of the pipe's`, measured: percent(median(ratios)) });
  }
}

async function addedLatency(): Promise<void> {
  const target = (address: typeof ours) => at(address, chat, question('gpt-4o'), '}');
  const added: { p50: number; p99: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const piped = quantiles((await load(target(bare), 4, seconds)).latencies);
    const relayed = quantiles((await load(target(ours), 4, seconds)).latencies);
    added.push({ p50: relayed.p50 - piped.p50, p99: relayed.p99 - piped.p99 });
  }
  const p50 = median(added.map((each) => each.p50));
  figures.push(
    { name: 'added p50, 4 connections', measured: ms(p50), bound: { text: '≤ 0.3 ms', isKept: p50 <= 0.3 } },
    { name: 'added p99, 4 connections', measured: ms(median(added.map((each) => each.p99))) },
  );
}

async function openStreams(): Promise<void> {
  console.error('1,000 open streams…');
  const held = { ...at(ours, chat, question('gpt-4o', { stream: true, user: 'hold the line' }), '') };
  const pool = await holdStreams(held, 1000);
  const after = residentMegabytes(server.pid);
  await sleep(5000);
  const later = residentMegabytes(server.pid);
  figures.push({
    name: 'memory with 1,000 open streams, and 5 s later',
    measured: `${after.toFixed(0)} MB, ${later.toFixed(0)} MB`,
    bound: { text: 'flat, under 300 MB', isKept: later < 300 && later < after * 1.1 },
  });
  await pool.destroy();
}

function quantiles(latencies: readonly number[]) {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}
