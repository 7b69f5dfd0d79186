import { limitMeasures } from '@headgate/contract';
import type { RemainingLimits } from '@headgate/dialects';
import { RelayError, shortenName } from '@headgate/relay';
import * as z from 'zod/mini';
import { formatLimitAmount } from '../../catalog/limit-rules/limit-text.ts';
import type { LimitRule } from './limit-table.ts';

/** Estimated wait in seconds, because most requests end within seconds. */
const inFlightRetrySeconds = 5;

interface Shortage {
  readonly rule: LimitRule;
  /** Undefined if unknown. */
  readonly waitMs: number | undefined;
  readonly standing: RemainingLimits | undefined;
}

/** Scope of the limit for error messages. Names no channels or other users. */
function scopeOf({ token_id, user_id, group, model, tag, counts_per }: LimitRule): string {
  const whose =
    token_id !== 0 || counts_per === 'token'
      ? ' of this token'
      : user_id !== 0 || counts_per === 'user'
        ? ' of your account'
        : group !== ''
          ? ` of group ${group}`
          : '';
  const tagged = tag === '' ? '' : ` for requests with the tag ${tag}`;
  return `${whose}${tagged}${model === '' ? '' : ` on ${shortenName(model)}`}`;
}

const secondsOf = (waitMs: number | undefined): number =>
  waitMs === undefined ? inFlightRetrySeconds : Math.max(1, Math.ceil(waitMs / 1000));

const inSeconds = (seconds: number) => `try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

const limitError = (
  message: string,
  seconds: number | undefined,
  remaining: RemainingLimits | undefined,
): RelayError => {
  const error = new RelayError(429, message, 'rate_limit_exceeded', 'rate_limit_error');
  error.retryAfter = seconds;
  error.limits = remaining;
  return error;
};

/** Error for a limit that is currently reached. */
export function limitReached({ rule, waitMs, standing }: Shortage): RelayError {
  const seconds = secondsOf(waitMs);
  return limitError(
    `The limit of ${formatLimitAmount(rule)}${scopeOf(rule)} is used up; ${inSeconds(seconds)}`,
    seconds,
    standing,
  );
}

/** Error for a request that alone exceeds the limit, so that retrying does not help. */
export const requestTooLarge = (rule: LimitRule, needed: number, remaining?: RemainingLimits): RelayError => {
  const isCost = limitMeasures[rule.measure].counts === 'points';
  const message = `This request may ${isCost ? 'cost' : 'use'} ${needed} ${isCost ? 'points' : 'tokens'}, which is more than the limit of ${formatLimitAmount(rule)}${scopeOf(rule)}; request a shorter response`;
  return limitError(message, undefined, remaining);
};

/** Error if every eligible channel has reached a limit. */
export function allChannelsLimited(model: string, waitMs: number | undefined): RelayError {
  const seconds = secondsOf(waitMs);
  const message = `Every channel for ${shortenName(model)} has reached its limit; ${inSeconds(seconds)}`;
  const error = new RelayError(429, message, 'channel_limit_reached', 'rate_limit_error');
  error.retryAfter = seconds;
  return error;
}

/**
 * Counter, amount used or returned, and age of the amount in milliseconds when sent; for in-flight requests, the
 * current count.
 */
const entry = z.tuple([z.string(), z.int(), z.int().check(z.nonnegative())]);
export type LimitMessageEntry = z.infer<typeof entry>;
const amount = z.int().check(z.nonnegative());

/** Message about limits from one node to all others. */
export const limitMessage = z.object({
  /** Identifies the sender's own message. */
  number: z.optional(z.int()),
  entries: z.optional(z.array(entry)),
  /** Sending time in milliseconds of the sender's clock. */
  said: z.optional(z.int()),
  /** Number of a catch-up request for all current counts. */
  asks: z.optional(z.int()),
  /** Response to a node's catch-up request. */
  answers: z.optional(
    z.object({
      to: z.string(),
      question: z.int(),
      /** True if the responding node has not missed any messages itself. */
      isWhole: z.boolean(),
      isLast: z.boolean(),
      windows: z.array(z.tuple([z.string(), z.array(z.tuple([amount, amount]))])),
      inFlight: z.array(z.tuple([z.string(), z.string(), amount])),
    }),
  ),
});
export type LimitMessage = z.infer<typeof limitMessage>;
export type CatchUpResponse = NonNullable<LimitMessage['answers']>;

/** Message bus between nodes. Every node receives all messages in the same order, including its own. */
export interface LimitBus {
  /** Id of this node. */
  readonly id: string;
  /** True if there are other nodes. */
  readonly hasOthers: boolean;
  send(message: LimitMessage): void;
}

/** PostgreSQL notifications are limited to 8,000 bytes. */
const maxTextLength = 6500;

/** Splits entries into parts that fit into one message. */
export function splitIntoMessages<Entry>(entries: readonly Entry[]): Entry[][] {
  const parts: Entry[][] = [];
  let length = maxTextLength;
  for (const one of entries) {
    const size = JSON.stringify(one).length + 1;
    if (length + size > maxTextLength) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(one);
    length += size;
  }
  return parts;
}
