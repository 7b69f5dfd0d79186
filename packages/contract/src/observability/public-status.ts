import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** From 0 to 1; null where nothing was asked for. */
const share = z.nullable(z.number());
const milliseconds = z.nullable(z.int());

/** Of one time: how much of what was asked for was answered, and how long half of the answers took at most. */
const span = z.object({
  availability: share,
  latency: milliseconds,
  /** Until streamed answers began. */
  first_byte: milliseconds,
});

const modelStatus = z.object({
  model: z.string(),
  day: span,
  quarter: span,
  /** Availability of each hour, and of each day of UTC, the oldest first. The last one has not ended. */
  hours: z.array(share),
  days: z.array(share),
});
export type ModelStatus = z.infer<typeof modelStatus>;

/** What anybody may know of the models: no channels, no names, no numbers of requests. */
const publicStatus = z.object({
  /** When it was added up. */
  time: z.int(),
  /** The first second of the first hour, and of the first day. */
  first_hour: z.int(),
  first_day: z.int(),
  models: z.array(modelStatus),
});
export type PublicStatus = z.infer<typeof publicStatus>;

export const statusHours = 24;
export const statusDays = 90;

export const publicStatusApi = {
  read: {
    method: 'GET',
    path: '/api/public_status',
    access: 'visitor',
    reply: publicStatus,
  },
} as const satisfies EndpointTable;
