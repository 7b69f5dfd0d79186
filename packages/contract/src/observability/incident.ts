import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, pageQuery } from '../wire/list.ts';

export const incidentLength = { title: 120, text: 4000, model: 300 } as const;
/** Limits on incidents, updates per incident and affected models. */
export const maxIncidents = 1000;
export const maxIncidentUpdates = 50;
export const maxIncidentModels = 100;
/** Closed incidents stay on the status page for this long. */
export const incidentHistoryDays = 90;
/** Maximum number of incidents on the status page. */
export const maxShownIncidents = 50;

export const incidentSeverities = {
  major: 'Major outage',
  minor: 'Degraded service',
  maintenance: 'Maintenance',
} as const;
export type IncidentSeverity = keyof typeof incidentSeverities;
export const incidentSeverityNames = Object.keys(incidentSeverities) as [IncidentSeverity, ...IncidentSeverity[]];

/** Plain text without control characters; line breaks are allowed. */
const isPlainText = (text: string): boolean => !/[\p{Cc}--[\n\t]]/v.test(text);
const isOneLine = (text: string): boolean => !/\p{Cc}/v.test(text);

const plainText = z.string().check(z.trim(), z.minLength(1), z.maxLength(incidentLength.text), z.refine(isPlainText));
/** Unix seconds, at most in the year 2200. */
const time = z.int().check(z.minimum(0), z.maximum(7_258_118_400));

const incidentUpdate = z.object({ time: z.int(), text: z.string() });

const incidentFields = z.object({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(incidentLength.title), z.refine(isOneLine)),
  /** Shown as plain text. */
  text: plainText,
  severity: z.enum(incidentSeverityNames),
  /** Affected models; empty: all. */
  models: z._default(
    z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(incidentLength.model), z.refine(isOneLine)))
      .check(z.maxLength(maxIncidentModels)),
    [],
  ),
  start_time: time,
  /** 0: open. */
  end_time: z._default(time, 0),
});
export type IncidentFields = z.infer<typeof incidentFields>;

const endsAfterStart = ({ start_time, end_time }: IncidentFields): boolean => end_time === 0 || end_time >= start_time;

export const incidentRequest = incidentFields.check(z.refine(endsAfterStart, { path: ['end_time'] }));

export const incident = z.extend(incidentFields, {
  id: z.int(),
  created_time: z.int(),
  /** Oldest first. */
  updates: z.array(incidentUpdate),
});
export type Incident = z.infer<typeof incident>;

/** True if an incident is current: it has no end, or ends in the future. */
export const isOpenIncident = ({ end_time }: Pick<Incident, 'end_time'>, now: number): boolean =>
  end_time === 0 || end_time > now;

export const incidentApi = {
  list: {
    method: 'GET',
    path: '/api/incident/',
    access: 'admin',
    query: pageQuery,
    reply: z.array(incident),
    list: true,
  },
  get: { method: 'GET', path: '/api/incident/:id', access: 'admin', params: idParams, reply: incident },
  add: { method: 'POST', path: '/api/incident/', access: 'admin', body: incidentRequest, reply: incident },
  update: {
    method: 'PUT',
    path: '/api/incident/:id',
    access: 'admin',
    params: idParams,
    body: incidentRequest,
    reply: incident,
  },
  addUpdate: {
    method: 'POST',
    path: '/api/incident/:id/updates',
    access: 'admin',
    params: idParams,
    /** `close` ends the incident now. */
    body: z.object({ text: plainText, close: z._default(z.boolean(), false) }),
    reply: incident,
  },
  remove: { method: 'DELETE', path: '/api/incident/:id', access: 'admin', params: idParams, reply: noData },
} as const satisfies EndpointTable;
