import type { Family } from './exposition.ts';

interface KeptBodyCounts {
  readonly kept: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/** Counts of payload logging. */
export const keptBodyMetrics = ({ kept, dropped }: KeptBodyCounts): readonly Family[] => [
  {
    name: 'headgate_bodies_kept_total',
    type: 'counter',
    help: 'Requests whose bodies were stored.',
    samples: [{ labels: {}, value: kept }],
  },
  {
    name: 'headgate_bodies_dropped_total',
    type: 'counter',
    help: 'Requests whose bodies were to be stored and were not, by reason.',
    samples: Object.entries(dropped).map(([reason, value]) => ({ labels: { reason }, value })),
  },
];
