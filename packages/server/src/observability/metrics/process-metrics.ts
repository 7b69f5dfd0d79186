import { readdirSync } from 'node:fs';
import { type Family, gauge } from './exposition.ts';

/** Metrics of this process, under the names that Node dashboards expect. */
export function processMetrics(): readonly Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time, user and system.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap reserved.', heapTotal),
    gauge('process_start_time_seconds', 'Start time of the process.', Math.round(performance.timeOrigin / 1000)),
    {
      name: 'nodejs_active_resources',
      help: 'Active resources that keep the event loop alive, by type.',
      type: 'gauge',
      samples: [...countsOf(process.getActiveResourcesInfo())].map(([type, value]) => ({ labels: { type }, value })),
    },
    ...openFiles(),
  ];
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Linux only. */
function openFiles(): readonly Family[] {
  if (process.platform !== 'linux') return [];
  return [gauge('process_open_fds', 'Open files and sockets.', readdirSync('/proc/self/fd').length)];
}
