import { type Figure, formatPercent, median } from './figures.ts';
import { type LoadResult, load, type Target } from './load.ts';

export interface BenchPace {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds before measuring. */
  readonly warm: number;
  readonly connections: number;
}

/** Minimum share of the pipe's requests per second; maximum multiple of its CPU time per request. */
export interface Bounds {
  readonly speed: number;
  readonly effort: number;
}

export interface Comparison extends Bounds {
  readonly figures: readonly Figure[];
}

/** Alternates between pipe and gateway, so that load on the machine affects both. */
export async function compareWithPipe(
  name: string,
  [pipe, own]: readonly [Target, Target],
  { rounds, seconds, warm, connections }: BenchPace,
  bounds?: Bounds,
): Promise<Comparison> {
  console.error(`${name}…`);
  const speeds: number[] = [];
  const efforts: number[] = [];
  let last: LoadResult | undefined;
  await load(pipe, connections, warm);
  await load(own, connections, warm);
  for (let round = 0; round < rounds; round += 1) {
    last = await load(pipe, connections, seconds);
    const relayed = await load(own, connections, seconds);
    speeds.push(relayed.perSecond / last.perSecond);
    efforts.push(relayed.cpuMs / last.cpuMs);
  }
  const [speed, effort] = [median(speeds), median(efforts)];
  const figures = [
    {
      name: `${name}: requests/s, relative to the pipe's ${last?.perSecond.toFixed(0)}`,
      measured: formatPercent(speed),
      ...(bounds && { bound: { text: `≥ ${formatPercent(bounds.speed)}`, isKept: speed >= bounds.speed } }),
    },
    {
      name: `${name}: CPU time per request, relative to the pipe's ${last?.cpuMs.toFixed(3)} ms`,
      measured: `${effort.toFixed(2)} ×`,
      ...(bounds && { bound: { text: `≤ ${bounds.effort} ×`, isKept: effort <= bounds.effort } }),
    },
  ];
  return { speed, effort, figures };
}
