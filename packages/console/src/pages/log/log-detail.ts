import { type Log, logEvents } from '@headgate/contract';
import * as z from 'zod/mini';
import { decimals, formatTime } from '../../lib/format/format.ts';

const text = z.catch(z.string(), '');
const number = z.catch(z.optional(z.number()), undefined);

const attempt = z.object({
  channel: number,
  /** Which of several keys of the channel. */
  key: number,
  /** What it was asked for, where that is not what the client asked for. */
  model: z.catch(z.optional(z.string()), undefined),
  status: number,
  reason: text,
  /** Milliseconds from the beginning of the request; rows of old do not tell. */
  start: number,
  ms: number,
});
const amount = z.catch(z.number(), 0);
const hedge = z.object({ channel: amount, key: number, ms: number, cost: amount });
export type Attempt = z.output<typeof attempt>;

/** What a row knows beside its columns. Every part may be missing or odd: rows outlive the versions that wrote them. */
const logDetail = z.object({
  /** How many refused requests the row stands for. */
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
  audio_completion_tokens: number,
  audio_completion_ratio: number,
  image_completion_tokens: number,
  image_completion_ratio: number,
  /** What the client asked for, where another model served. */
  asked_model: text,
  upstream_model: text,
  counted: z.catch(z.optional(z.enum(['tokenizer', 'estimate'])), undefined),
  odd_usage: text,
  dialect: text,
  attempts: z.catch(z.array(attempt), []),
  /** Channels that were asked too, and given up for a quicker one. */
  hedges: z.catch(z.array(hedge), []),
  not_retried: text,
  /** Until when what was asked and answered is kept; absent where it is not. */
  bodies_until: number,
  /** The address of whoever did it. */
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

/** A time inside a sentence is the reader's, like every other: given in seconds, by older rows as ISO text. */
export function withLocalTime(values: LogDetail['values']): LogDetail['values'] {
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

/** How fast an answer was, as a colour. */
export const speedColor = (milliseconds: number): string =>
  speeds.find(({ below }) => milliseconds < below)?.color ?? 'red';

export const formatElapsed = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${decimals(milliseconds / 1000, milliseconds < 10_000 ? 2 : 1)} s`;

/** Log rows show an amount to a millionth of a dollar: a single request costs that little. */
export const quotaDigits = 6;
