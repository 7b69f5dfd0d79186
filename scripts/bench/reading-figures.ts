import type { BenchServer } from './bench-server.ts';
import { type Figure, formatMs, interleavedMedians, interleavedTimes, median, percentile95 } from './figures.ts';
import { modelNameOf, type SampleSize, tokenNameOf, usernameOf } from './sample-data.ts';

const turns = 41;
const filterTurns = 21;
/** The ledger takes seconds. */
const otherTurns = 5;
const maxMs = 100;
const largestRatio = 1.5;

type Parts = { readonly server: BenchServer; readonly size: SampleSize };

export async function readingFigures(parts: Parts): Promise<Figure[]> {
  return [...(await pageFigures(parts)), ...(await filterFigures(parts)), ...(await otherFigures(parts))];
}

const timeOf = (server: BenchServer, path: string) => async () => (await server.call('GET', path)).milliseconds;

/** Metric for the 95th percentile. */
function boundedFigure(name: string, times: readonly number[]): Figure {
  const slow = percentile95(times);
  return {
    name: `${name}: p95`,
    measured: formatMs(slow),
    bound: { text: `≤ ${maxMs} ms`, isKept: slow <= maxMs },
  };
}

async function pageFigures({ server, size }: Parts): Promise<Figure[]> {
  const far = Math.min(10_000, Math.floor(size.logs / 10)) - 1;
  const last = Math.floor(size.logs / 10) - 1;
  const times = await interleavedTimes(
    {
      first: timeOf(server, '/api/log/?p=0'),
      far: timeOf(server, `/api/log/?p=${far}`),
      last: timeOf(server, `/api/log/?p=${last}`),
    },
    turns,
  );
  const ratio = median(times.far) / median(times.first);
  return [
    boundedFigure('log, page 1', times.first),
    boundedFigure(`log, page ${far + 1}`, times.far),
    boundedFigure(`log, page ${last + 1} (the last)`, times.last),
    {
      name: `page ${far + 1} ÷ page 1`,
      measured: ratio.toFixed(2),
      bound: { text: `≤ ${largestRatio}`, isKept: ratio <= largestRatio },
    },
  ];
}

async function filterFigures({ server, size }: Parts): Promise<Figure[]> {
  const rarest = size.users - 1;
  const filters: Readonly<Record<string, string>> = {
    'no filter': '',
    'the busiest user': `username=${usernameOf(1)}`,
    'an average user': `username=${usernameOf(200)}`,
    'a model': `model_name=${modelNameOf(7)}`,
    'a channel': 'channel=22',
    'a model and a channel': `model_name=${modelNameOf(7)}&channel=22`,
    'a rare token': `token_name=${tokenNameOf(rarest, 1)}`,
    'the default token name': 'token_name=default',
    'a rare type': 'type=3',
  };
  const figures: Figure[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const times = await interleavedTimes(
      {
        'page 1': timeOf(server, `/api/log/?${filter}`),
        'page 101': timeOf(server, `/api/log/?${filter}&p=100`),
        sum: timeOf(server, `/api/log/stat?${filter}`),
      },
      filterTurns,
    );
    const { sum, ...pages } = times;
    figures.push(...Object.entries(pages).map(([what, all]) => boundedFigure(`${name}, ${what}`, all)));
    figures.push({ name: `${name}, exact sum`, measured: `p95 ${formatMs(percentile95(sum))}` });
  }
  return figures;
}

async function otherFigures({ server }: Parts): Promise<Figure[]> {
  const calls: Readonly<Record<string, string>> = {
    'log search by text': '/api/log/search?keyword=sentence+nowhere',
    'user search by a part of a name': '/api/user/search?keyword=ser1999',
    'user search without a match': '/api/user/search?keyword=nobody+at+all',
    'user list, last page': '/api/user/?p=1999',
    'own tokens': '/api/token/',
    ledger: '/api/ledger',
  };
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(calls)) {
    const { time } = await interleavedMedians({ time: timeOf(server, path) }, otherTurns);
    figures.push({ name, measured: formatMs(time) });
  }
  return figures;
}
