import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import type { BenchServer } from './bench-server.ts';
import { startChild } from './child-process.ts';
import { type Figure, median } from './figures.ts';
import { cpuTime, load, residentMegabytes, type Target } from './load.ts';

const fewestRowsPerSecond = 50_000;
const smallestShare = 0.9;
/** A worker thread has its own heap; memory that grows with the rows would be hundreds of megabytes. */
const maxMegabytes = 150;
const connections = 32;
const warmSeconds = 5;
/** Long enough that the start of an export does not matter: exporting five million log entries takes a minute. */
const loadSeconds = 12;
const rounds = 5;

interface Exported {
  readonly rows: number;
  readonly seconds: number;
  readonly isWhole: boolean;
}

/** Speed and memory of exporting all logs, and its effect on the relay. */
export async function exportFigures(server: BenchServer): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const upstream = await startChild('bench-upstream.ts', '0');
  cleanup.defer(() => upstream.stop());
  const target = await relayTarget(server, upstream.port);
  // The database may be kept for another run, with another upstream.
  cleanup.defer(async () => void (await server.call('PUT', '/api/channel/', { id: target.channel, status: 2 })));
  await load(target, connections, warmSeconds);
  await exportAll(server);
  const memory = watchMemory(server.pid);
  const processorBefore = cpuTime(server.pid);
  const alone = await exportAll(server);
  const microseconds = ((cpuTime(server.pid) - processorBefore) * 1000) / alone.rows;
  const { before, grown } = memory.end();
  const limit = await loadDuringExports(server, target);
  const half = await loadDuringExports(server, target, limit.perSecond / 2);
  const perSecond = alone.rows / alone.seconds;
  return [
    {
      name: `export of ${alone.rows} logs as CSV: rows per second`,
      measured: perSecond.toFixed(0),
      bound: {
        text: `≥ ${fewestRowsPerSecond}, and complete`,
        isKept: perSecond >= fewestRowsPerSecond && alone.isWhole,
      },
    },
    {
      name: 'CPU time of the server per row, including thread start',
      measured: `${microseconds.toFixed(1)} µs`,
    },
    {
      name: `peak memory of the export, on top of ${before.toFixed(0)} MB`,
      measured: `${grown.toFixed(0)} MB`,
      bound: { text: `≤ ${maxMegabytes} MB`, isKept: grown <= maxMegabytes },
    },
    ...shareFigures('at its limit', limit),
    ...shareFigures('at half of its limit', half),
  ];
}

interface Beside {
  /** Requests per second of the relay alone. */
  readonly perSecond: number;
  /** Share of the requests per second that remains during exports. */
  readonly share: number;
  readonly exportedPerSecond: number;
}

/** Measures the relay alone and during exports, alternately, at maximum load or at the given rate. */
async function loadDuringExports(server: BenchServer, target: Target, wantedPerSecond?: number): Promise<Beside> {
  const measured: Beside[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { perSecond } = await load(target, connections, loadSeconds, wantedPerSecond);
    const exporting = exportWhile(server);
    const loadDuringExport = await load(target, connections, loadSeconds, wantedPerSecond);
    const { rows, seconds } = await exporting.end();
    measured.push({ perSecond, share: loadDuringExport.perSecond / perSecond, exportedPerSecond: rows / seconds });
  }
  const medianOf = (name: keyof Beside) => median(measured.map((each) => each[name]));
  return {
    perSecond: medianOf('perSecond'),
    share: medianOf('share'),
    exportedPerSecond: medianOf('exportedPerSecond'),
  };
}

const shareFigures = (when: string, { perSecond, share, exportedPerSecond }: Beside): Figure[] => [
  {
    name: `relay during an export ÷ alone, ${when} (${perSecond.toFixed(0)} requests per second)`,
    measured: share.toFixed(2),
    bound: { text: `≥ ${smallestShare}`, isKept: share >= smallestShare },
  },
  { name: `rows exported per second while the relay is ${when}`, measured: exportedPerSecond.toFixed(0) },
];

async function relayTarget(server: BenchServer, upstreamPort: number): Promise<Target & { channel: number }> {
  const base_url = `http://127.0.0.1:${upstreamPort}`;
  // An aborted run leaves its channel behind, whose upstream is gone; the current hour's channel has priority.
  const priority = Math.floor(Date.now() / 3_600_000);
  const channelOfBench = { name: 'plain', type: 8, key: 'sk-bench', base_url, models: 'gpt-4o', priority };
  await server.call('POST', '/api/channel/', channelOfBench);
  const [channel] = (await server.call('GET', '/api/channel/?p=0')).data as { id: number }[];
  const token = await server.call('POST', '/api/token/', { name: 'export bench', unlimited_quota: true });
  await server.call('POST', '/api/topup', { user_id: 1, quota: 4_000_000_000_000 });
  // All clients share one token, so per-user limits must not apply.
  for (const key of ['UserConcurrencyLimit', 'TokenConcurrencyLimit']) {
    await server.call('PUT', '/api/option/', { key, value: '0' });
  }
  return {
    channel: channel?.id ?? 0,
    url: server.address,
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer sk-${(token.data as { key: string }).key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'tell me about locks and weirs' }] }),
    pid: server.pid,
    ending: '}',
  };
}

/** Reads an export and discards it. For an aborted export, counts the rows received so far. */
function exportAll(server: BenchServer, signal?: AbortSignal): Promise<Exported> {
  const client = new Client(server.address, { bodyTimeout: 0 });
  const began = performance.now();
  let bytes = 0;
  let total = 0;
  let rowBytes = 0;
  let last = '';
  return new Promise((resolve, reject) => {
    const finish = (isWhole: boolean) => {
      const rows = isWhole ? total : Math.round(bytes / Math.max(rowBytes, 1));
      void client.destroy();
      resolve({ rows, seconds: (performance.now() - began) / 1000, isWhole });
    };
    client.dispatch(
      { path: '/api/log/export', method: 'GET', headers: { cookie: server.cookie } },
      {
        onRequestStart: (controller) => signal?.addEventListener('abort', () => controller.abort(new Error('enough'))),
        onResponseStart: (_, status, headers) => {
          if (status !== 200) reject(new Error(`The export failed with status ${status}`));
          total = Number(headers['x-total-count']);
        },
        onResponseData: (_, chunk) => {
          // Row length, from the first chunk.
          rowBytes ||= chunk.length / Math.max(1, chunk.toString('latin1').split('\r\n').length - 2);
          bytes += chunk.length;
          last = chunk.subarray(-200).toString('latin1');
        },
        onResponseEnd: () => finish(last.includes(` of ${total} rows`)),
        onResponseError: (_, error) => (signal?.aborted ? finish(false) : reject(error)),
      },
    );
  });
}

/** Runs one export after another until stopped. */
function exportWhile(server: BenchServer) {
  const enough = new AbortController();
  const began = performance.now();
  const running = (async () => {
    let rows = 0;
    while (!enough.signal.aborted) {
      rows += (await exportAll(server, enough.signal)).rows;
      // The export slot is released shortly after the end.
      await pause(20);
    }
    return rows;
  })();
  return {
    end: async () => {
      const seconds = (performance.now() - began) / 1000;
      enough.abort();
      return { rows: await running, seconds };
    },
  };
}

/** Peak memory of a process above its value at the start. */
function watchMemory(pid: number) {
  const before = residentMegabytes(pid);
  let max = before;
  const look = () => {
    max = Math.max(max, residentMegabytes(pid));
  };
  const looking = setInterval(look, 50);
  return {
    end: () => {
      look();
      clearInterval(looking);
      return { before, grown: max - before };
    },
  };
}
