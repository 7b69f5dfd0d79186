import type { Family } from './exposition.ts';

interface KeptBodyCounts {
  readonly kept: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/** Counts of payload logging. */
export const payloadMetrics = ({ kept, dropped }: KeptBodyCounts): readonly Family[] => [
  {
    name: 'headgate_bodies_kept_total',
    type: 'counter',
    help: 'Requests with stored payloads.',
    samples: [{ labels: {}, value: kept }],
  },
  {
    name: 'headgate_bodies_dropped_total',
    type: 'counter',
    help: 'Requests whose payloads could not be stored, by reason.',
    samples: Object.entries(dropped).map(([reason, value]) => ({ labels: { reason }, value })),
  },
];
