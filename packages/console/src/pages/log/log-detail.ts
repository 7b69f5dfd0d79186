import { type Log, logEvents } from '@headgate/contract';
import * as z from 'zod/mini';
import { formatDecimals, formatTime } from '../../lib/format/format.ts';

const text = z.catch(z.string(), '');
const number = z.catch(z.optional(z.number()), undefined);

const attempt = z.object({
  channel: number,
  /** Index of the channel's key, if it has several. */
  key: number,
  /** Upstream model, if it differs from the requested one. */
  model: z.catch(z.optional(z.string()), undefined),
  status: number,
  reason: text,
  /** Milliseconds since the start of the request; absent in old rows. */
  start: number,
  ms: number,
});
const amount = z.catch(z.number(), 0);
const hedge = z.object({ channel: amount, key: number, ms: number, cost: amount });
export type Attempt = z.output<typeof attempt>;

/**
 * Details of a row besides its columns. Any field may be missing or invalid, because rows outlive the version that
 * wrote them.
 */
const logDetail = z.object({
  /** Number of rejected requests that the row represents. */
  refused: number,
  event: z.catch(z.optional(z.enum(Object.keys(logEvents) as (keyof typeof logEvents)[])), undefined),
  values: z.catch(z.record(z.string(), z.union([z.string(), z.number()])), {}),
  model_ratio: number,
  completion_ratio: number,
  group_ratio: number,
  group: text,
  units: number,
  unpriced: z.catch(z.optional(z.boolean()), undefined),
  cached_tokens: number,
  cache_read_ratio: number,
  cache_write_tokens: number,
  cache_write_ratio: number,
  cache_long_write_tokens: number,
  cache_long_write_ratio: number,
  reasoning_tokens: number,
  reasoning_ratio: number,
  audio_tokens: number,
  audio_ratio: number,
  image_tokens: number,
  image_ratio: number,
  cached_audio_tokens: number,
  cached_audio_ratio: number,
  cached_image_tokens: number,
  cached_image_ratio: number,
  audio_completion_tokens: number,
  audio_completion_ratio: number,
  image_completion_tokens: number,
  image_completion_ratio: number,
  /** Points per request, before the group ratio. */
  call_points: number,
  served_tier: text,
  /** Request id of the original, if this request is a mirrored copy. */
  mirror_of: text,
  /** Time-of-day multiplier included in the price. */
  clock_multiplier: number,
  /** Requested model, if another model served the request. */
  asked_model: text,
  upstream_model: text,
  counted: z.catch(z.optional(z.enum(['tokenizer', 'estimate'])), undefined),
  odd_usage: text,
  dialect: text,
  attempts: z.catch(z.array(attempt), []),
  /** Hedged channels that responded too late. */
  hedges: z.catch(z.array(hedge), []),
  not_retried: text,
  /** Start of the delivered attempt, in milliseconds after the request; absent if it started immediately. */
  start: number,
  /** Index of the key that served the request, if the channel has several. */
  key: number,
  /** Ids of the limits that counted the request. */
  limits: z.catch(z.array(z.number()), []),
  /** Changes of a bulk event. */
  list: z.catch(z.array(z.string()), []),
  /** Names of the channel's rules that applied. */
  rules: z.catch(z.array(z.string()), []),
  /** Tags of the request. */
  request_tags: z.catch(z.record(z.string(), z.string()), {}),
  /** Expiry of the stored payloads; absent if none were stored. */
  bodies_until: number,
  /** IP address of the user. */
  from: text,
});
export type LogDetail = z.output<typeof logDetail>;

const emptyDetail = logDetail.parse({});

export function readDetail({ detail }: Log): LogDetail {
  if (detail === '') return emptyDetail;
  try {
    return logDetail.parse(JSON.parse(detail));
  } catch {
    return emptyDetail;
  }
}

/** Converts times in a sentence to local time. Times are in seconds, or ISO text in older rows. */
export function localizeTimes(values: LogDetail['values']): LogDetail['values'] {
  const { time, seconds } = values;
  const known = typeof seconds === 'number' ? seconds : Date.parse(String(time)) / 1000;
  return time === undefined || Number.isNaN(new Date(known * 1000).getTime())
    ? values
    : { ...values, time: formatTime(known) };
}

const speeds = [
  { below: 1000, color: 'green' },
  { below: 3000, color: 'lime' },
  { below: 5000, color: 'yellow' },
  { below: 10_000, color: 'orange' },
] as const;

/** Color for a response time. */
export const speedColor = (milliseconds: number): string =>
  speeds.find(({ below }) => milliseconds < below)?.color ?? 'red';

export const formatElapsed = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${milliseconds} ms`
    : `${formatDecimals(milliseconds / 1000, milliseconds < 10_000 ? 2 : 1)} s`;

/** Six decimals, because a single request may cost a millionth of a dollar. */
export const costDecimals = 6;
