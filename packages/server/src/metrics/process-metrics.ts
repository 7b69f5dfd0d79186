import type { Family } from './exposition.ts';

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/** Figures of this process, under the names that dashboards for Node expect. */
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
    gauge('process_start_time_seconds', 'When the process started.', Math.round(performance.timeOrigin / 1000)),
  ];
}
