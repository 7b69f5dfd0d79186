import type { BenchServer } from './bench-server.ts';
import type { Figure } from './figures.ts';

const longestSeconds = 2;

/** Time without responses while a server restarts. */
export async function measureRestartDowntime(
  server: BenchServer,
  start: () => Promise<BenchServer>,
): Promise<{ figure: Figure; started: BenchServer }> {
  const began = performance.now();
  await server.stop();
  const ended = performance.now();
  const started = await start();
  const [ending, starting] = [(ended - began) / 1000, (performance.now() - ended) / 1000];
  const seconds = ending + starting;
  return {
    started,
    figure: {
      name: 'restart: shutdown, and start until ready',
      measured: `${ending.toFixed(2)} s and ${starting.toFixed(2)} s`,
      bound: { text: `≤ ${longestSeconds} s`, isKept: seconds <= longestSeconds },
    },
  };
}
