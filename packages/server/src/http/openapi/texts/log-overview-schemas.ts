import type { SchemaTexts } from './types.ts';

export const logOverviewSchemas: SchemaTexts = {
  LogHistogram: {
    description: 'Logs over time. Bars without logs are omitted.',
    fields: {
      from: 'First second of the first bar.',
      to: 'Last second of the range.',
      step: 'Seconds per bar.',
      counted_from: 'Logs before this second are not counted. 0: all logs are counted.',
      bars: 'The bars, oldest first.',
    },
    example: { from: 1_767_225_600, to: 1_767_311_999, step: 3600, counted_from: 0 },
  },
  LogHistogramBar: {
    description: 'Logs of one bar.',
    fields: { time: 'First second of the bar.', rows: 'Number of logs.', failures: 'Failed requests among them.' },
    example: { time: 1_767_225_600, rows: 120, failures: 3 },
  },
  LogFacets: {
    description: 'The most frequent values of the newest logs.',
    fields: {
      counted: 'Number of logs that were counted.',
      is_more: 'True: more logs match.',
      values: 'The values, by field, most frequent first.',
    },
    example: { counted: 120, is_more: false },
  },
  LogFacetValue: {
    description: 'A value of a filter and its logs.',
    fields: {
      field: 'The filter.',
      value: 'Value of the filter.',
      name: 'Name of a channel. Empty for other filters, or if it was deleted.',
      rows: 'Number of logs.',
    },
    example: { field: 'status', value: '429', name: '', rows: 12 },
  },
};
