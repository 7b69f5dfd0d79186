import type { Family } from './exposition.ts';

interface SpanCounts {
  readonly sent: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/** Empty when traces are off. */
export const traceMetrics = (counts: SpanCounts | undefined): readonly Family[] =>
  counts === undefined
    ? []
    : [
        {
          name: 'headgate_trace_spans_sent_total',
          type: 'counter',
          help: 'Spans accepted by the collector.',
          samples: [{ labels: {}, value: counts.sent }],
        },
        {
          name: 'headgate_trace_spans_dropped_total',
          type: 'counter',
          help: 'Dropped spans, by reason.',
          samples: Object.entries(counts.dropped).map(([reason, value]) => ({ labels: { reason }, value })),
        },
      ];
