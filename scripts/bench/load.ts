import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

/** A server and the process whose CPU time is counted; 0 when it is not ours. */
export interface Target {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly pid: number;
  /** Text at the end of a complete response. */
  readonly ending: string;
}

export interface LoadResult {
  readonly perSecond: number;
  /** CPU milliseconds per request. */
  readonly cpuMs: number;
  /** Milliseconds from the request to the last byte. */
  readonly latencies: readonly number[];
}

const ticksPerSecond = 100;

/** User and system time of a process so far, in milliseconds. */
export function cpuTime(pid: number): number {
  if (pid === 0) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}

/** Sends as many requests as the connections allow in that time, or the given number per second. */
export async function load(
  target: Target,
  connections: number,
  seconds: number,
  wantedPerSecond = Number.POSITIVE_INFINITY,
): Promise<LoadResult> {
  const pool = new Pool(target.url, { connections, pipelining: 1 });
  try {
    await Promise.all(Array.from({ length: connections }, () => send(pool, target)));
    const latencies: number[] = [];
    const began = performance.now();
    const cpuBefore = cpuTime(target.pid);
    const end = began + seconds * 1000;
    let begun = 0;
    const worker = async () => {
      for (let now = performance.now(); now < end; ) {
        const due = began + (begun * 1000) / wantedPerSecond;
        begun += 1;
        if (due > now) {
          await pause(due - now);
          now = performance.now();
        }
        await send(pool, target);
        const after = performance.now();
        latencies.push(after - now);
        now = after;
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    const elapsed = performance.now() - began;
    return {
      perSecond: (latencies.length * 1000) / elapsed,
      cpuMs: (cpuTime(target.pid) - cpuBefore) / latencies.length,
      latencies,
    };
  } finally {
    await pool.destroy();
  }
}

/** One request to its last byte; an incomplete response aborts the benchmark. */
function send(pool: Pool, { path, headers, body, ending }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let last = '';
    pool.dispatch(
      { path, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => {
          status = code;
        },
        onResponseData: (_, chunk) => {
          last = chunk.subarray(-64).toString('latin1');
        },
        onResponseEnd: () => {
          if (status === 200 && last.endsWith(ending)) resolve();
          else reject(new Error(`A response with status ${status} ended with: ${last}`));
        },
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

/** Opens streams that stay open; the caller closes them. */
export async function openStreams(target: Target, count: number): Promise<Pool> {
  const pool = new Pool(target.url, { connections: count, pipelining: 1, bodyTimeout: 0 });
  const first = Array.from({ length: count }, async () => {
    const { body } = await pool.request({
      path: target.path,
      method: 'POST',
      body: target.body,
      headers: { 'content-type': 'application/json', ...target.headers },
    });
    await new Promise((resolve) => body.once('data', resolve));
    body.on('error', () => undefined);
    body.resume();
  });
  await Promise.all(first);
  return pool;
}
