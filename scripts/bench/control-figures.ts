import type { DatabaseLocation } from '../../packages/server/src/platform/db/database.ts';
import { startGateway } from './bench-gateway.ts';
import { type Address, chatPath, jsonTarget, streamRequestBody, targetOf } from './bench-requests.ts';
import type { BenchServer, StartOptions } from './bench-server.ts';
import type { BenchStage } from './bench-stage.ts';
import { startChild } from './child-process.ts';
import type { BenchPace } from './compare.ts';
import { type Figure, formatPercent, median } from './figures.ts';
import { type LoadResult, load, type Target } from './load.ts';

/** High enough that no request is rejected: only the cost of counting is measured. */
const wide = { requests: 1_000_000_000, points: 1_000_000_000_000 };

/** Features enabled in addition to a plain gateway, all together. */
const controls: Readonly<Record<string, (server: BenchServer) => Promise<unknown>>> = {
  'a limit': (server) =>
    server.call('POST', '/api/limit/', {
      measure: 'requests_per_minute',
      counts_per: 'token',
      model: 'gpt-*',
      amount: wide.requests,
    }),
  'a budget': (server) =>
    server.call('POST', '/api/budget/', { kind: 'user', owner_id: 1, amount: wide.points, period: 'month' }),
  affinity: (server) => server.call('POST', '/api/routing/rules', { model: 'gpt-*', affinity: 'conversation' }),
  'two keys': (server) => server.call('POST', '/api/channel/1/keys', { keys: 'sk-bench-second' }),
};

/** Two rules that do not match, and three that change the body and a header. */
const fiveRules = JSON.stringify(
  [
    { when: { models: ['qwen3-*'] }, actions: [{ do: 'remove', path: 'user' }] },
    { when: { fields: [{ is: 'exists', path: 'logit_bias' }] }, actions: [{ do: 'remove', path: 'logit_bias' }] },
    { actions: [{ do: 'default', path: 'temperature', value: 0.2 }] },
    { when: { models: ['gpt-*'] }, actions: [{ do: 'set', path: 'metadata.team', value: 'search' }] },
    { actions: [{ do: 'set_header', header: 'x-team', value: 'search' }] },
  ].map(({ actions, ...rule }, index) => ({
    name: `rule ${index}`,
    ...rule,
    ...Object.fromEntries([['then', actions]]),
  })),
);

/** At least 95% of the requests per second without them, and at most 105% of the CPU time per request. */
const bounds = { speed: 0.95, effort: 1.05 };

const byOrganization = 'paid by an organization';
const anotherPlain = 'baseline (second run)';
const organizationEffort = 1.03;

const kinds = {
  JSON: jsonTarget,
  '50-chunk stream': (address: Address) => targetOf(address, chatPath, streamRequestBody, '[DONE]\n\n'),
} as const;

/**
 * Processes differ from each other by as much as the effect measured here, so each variant is started this many
 * times.
 */
const starts = 5;

/** The relay with controls, with channel rules, with an organization, and with 1% tracing, compared to itself without. */
export async function measureControls(
  stage: BenchStage,
  { flags, only }: Pick<Start, 'flags' | 'only'>,
): Promise<Figure[]> {
  const collector = await startChild('bench-collector.ts');
  stage.cleanup.defer(() => collector.stop());
  const measured = new Map<string, Beside[]>();
  for (let start = 0; start < starts; start += 1) {
    console.error(`Start ${start + 1} of ${starts}…`);
    await using own = new AsyncDisposableStack();
    const { plain, others } = await startAll(
      { ...stage, cleanup: own },
      { start, flags, only, collector: collector.port },
    );
    for (const [kind, targetAt] of Object.entries(kinds)) {
      const addresses = [plain, ...others.map(({ address }) => address)];
      const [without = [], ...loads] = await inTurn(addresses.map(targetAt), stage.pace);
      for (const [index, { name }] of others.entries()) {
        const pairs = (loads[index] ?? []).map((load, round) => ({ load, without: without[round] ?? load }));
        measured.set(`${kind}, ${name}`, [...(measured.get(`${kind}, ${name}`) ?? []), ...pairs]);
      }
    }
  }
  return [...measured].flatMap(([name, pairs]) => figuresOf(name, pairs));
}

interface Beside {
  readonly load: LoadResult;
  readonly without: LoadResult;
}

interface Start {
  readonly start: number;
  readonly flags: readonly string[];
  /** Port of the trace collector. */
  readonly collector: number;
  /** Part of the name of the variants to measure; empty: all. */
  readonly only: string;
}

type Variant = (stage: BenchStage, start: Start) => Promise<Address>;

const tracing = {
  OTEL_TRACES_SAMPLER: 'traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
};

/** Gateways that are compared to one without any of these. */
const variants: Readonly<Record<string, Variant>> = {
  [byOrganization]: async (stage, { start }) => {
    const organized = await startBeside(stage, `organized${start}`, {});
    return { ...organized, key: await organizationKey(organized.server) };
  },
  [anotherPlain]: (stage, { start }) => startBeside(stage, `another${start}`, {}),
  'with five channel rules': async (stage, { start }) => {
    const ruled = await startBeside(stage, `ruled${start}`, {});
    await ruled.server.call('PUT', '/api/channel/', { id: 1, rules: fiveRules });
    return ruled;
  },
  [`with ${Object.keys(controls).join(', ')}`]: async (stage, { start, flags }) => {
    const controlled = await startBeside(stage, `controlled${start}`, { flags });
    for (const switchOn of Object.values(controls)) await switchOn(controlled.server);
    return controlled;
  },
  '1 % traced': (stage, { start, collector }) =>
    startBeside(stage, `traced${start}`, {
      settings: { ...tracing, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector}` },
    }),
};

async function startAll(stage: BenchStage, start: Start) {
  const plain = await startBeside(stage, `plain${start.start}`, {});
  const others: { name: string; address: Address }[] = [];
  for (const [name, startVariant] of Object.entries(variants))
    if (name.includes(start.only)) others.push({ name, address: await startVariant(stage, start) });
  if (others.length === 0) throw new Error(`--only: no control has "${start.only}" in its name`);
  return { plain, others };
}

/** Key of a token paid by an organization, which has a member cap. */
async function organizationKey(server: BenchServer): Promise<string> {
  const { data } = await server.call('POST', '/api/organization/', { name: 'bench' });
  const { id } = data as { readonly id: number };
  await server.call('POST', `/api/organization/${id}/topup`, { quota: wide.points });
  const token = await server.call('POST', `/api/organization/${id}/tokens`, { name: 'bench', unlimited_quota: true });
  return (token.data as { readonly key: string }).key;
}

interface Started extends Address {
  readonly server: BenchServer;
}

async function startBeside(stage: BenchStage, name: string, starting: StartOptions): Promise<Started> {
  const location: DatabaseLocation = {
    dataDir: stage.folder(name),
    databaseUrl: await stage.database?.create(`bench_${name}`),
  };
  const { server, key } = await startGateway(location, starting, stage.upstream.port);
  stage.cleanup.defer(() => server.stop());
  return { server, url: server.address, pid: server.pid, key };
}

/**
 * Results of each target by round. Every other round runs in reverse order, so that no target always follows the same
 * one.
 */
async function inTurn(
  targets: readonly Target[],
  { connections, warm, rounds, seconds }: BenchPace,
): Promise<LoadResult[][]> {
  for (const target of targets) await load(target, connections, warm);
  const loads: LoadResult[][] = targets.map(() => []);
  const order = [...targets.keys()];
  for (let round = 0; round < rounds; round += 1) {
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      const target = targets[index];
      if (target) loads[index]?.push(await load(target, connections, seconds));
    }
  }
  return loads;
}

function figuresOf(name: string, pairs: readonly Beside[]): Figure[] {
  const ratio = (figure: (load: LoadResult) => number) =>
    median(pairs.map(({ load, without }) => figure(load) / figure(without)));
  const plain = (figure: (load: LoadResult) => number, digits: number) =>
    median(pairs.map(({ without }) => figure(without))).toFixed(digits);
  const perSecond = (load: LoadResult) => load.perSecond;
  const cpuMs = (load: LoadResult) => load.cpuMs;
  const [speed, effort] = [ratio(perSecond), ratio(cpuMs)];
  const maxEffort = name.endsWith(byOrganization) ? organizationEffort : bounds.effort;
  const bound = (text: string, isKept: boolean) => (name.endsWith(anotherPlain) ? {} : { bound: { text, isKept } });
  return [
    {
      name: `${name}: requests/s, of ${plain(perSecond, 0)} without`,
      measured: formatPercent(speed),
      ...bound(`≥ ${formatPercent(bounds.speed)}`, speed >= bounds.speed),
    },
    {
      name: `${name}: CPU time per request, relative to ${plain(cpuMs, 3)} ms without`,
      measured: `${effort.toFixed(2)} ×`,
      ...bound(`≤ ${maxEffort} ×`, effort <= maxEffort),
    },
  ];
}
