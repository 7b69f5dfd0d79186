import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { incident } from './incident.ts';

/** From 0 to 1; null: no requests. */
const share = z.nullable(z.number());
const milliseconds = z.nullable(z.int());

/** Metrics of a period: share of successful requests and median latency. */
const span = z.object({
  availability: share,
  latency: milliseconds,
  /** Time to first byte of streamed responses. */
  first_byte: milliseconds,
});

const modelStatus = z.object({
  model: z.string(),
  day: span,
  quarter: span,
  /** Availability per hour and per UTC day, oldest first. The last entry is incomplete. */
  hours: z.array(share),
  days: z.array(share),
});
export type ModelStatus = z.infer<typeof modelStatus>;

/** Public metrics of the models, without channels, users or request counts. */
const publicStatus = z.object({
  /** Time at which the metrics were calculated. */
  time: z.int(),
  /** First second of the first hour and day. */
  first_hour: z.int(),
  first_day: z.int(),
  models: z.array(modelStatus),
  /** Open incidents and those of the last 90 days, latest first. */
  incidents: z._default(z.array(incident), []),
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
