import * as z from 'zod/mini';

/** Maximum number of bars in a histogram. */
export const maxHistogramBars = 60;

export const logHistogramBar = z.object({ time: z.int(), rows: z.int(), failures: z.int() });

/** Logs over time. Bars without logs are omitted. */
export const logHistogram = z.object({
  /** First second of the first bar. */
  from: z.int(),
  /** Last second of the range. */
  to: z.int(),
  /** Seconds per bar. */
  step: z.int(),
  /** Logs before this second are not counted; 0: all logs are counted. */
  counted_from: z.int(),
  bars: z.array(logHistogramBar),
});
export type LogHistogram = z.infer<typeof logHistogram>;

export const logFacetFields = ['status', 'reason', 'model_name', 'channel', 'username', 'token_name'] as const;
export type LogFacetField = (typeof logFacetFields)[number];

export const logFacetValue = z.object({
  field: z.enum(logFacetFields),
  /** Value of the filter. */
  value: z.string(),
  /** Name of a channel; empty for other fields, or if it was deleted. */
  name: z.string(),
  rows: z.int(),
});

/** The most frequent values of the newest logs, at most `maxCountedLogs` of them. */
export const logFacets = z.object({
  /** Number of logs counted. */
  counted: z.int(),
  /** True if there are more. */
  is_more: z.boolean(),
  values: z.array(logFacetValue),
});
export type LogFacets = z.infer<typeof logFacets>;
