import * as z from 'zod/mini';
import { isTimeZone } from '../records/export.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, pageQuery, queryInteger, rowId } from '../wire/list.ts';
import { alertKind, alertKindNames } from './alert-kinds.ts';
import { destinationKindNames } from './destination-kinds.ts';

export const alertNameLength = { max: 60 } as const;
/** Maximum numbers of destinations and rules. */
export const maxDestinations = 100;
export const maxAlertRules = 200;
/** Retention of sent notifications, in days. */
export const alertHistoryDays = 30;
const maxChannelsPerRule = 100;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(alertNameLength.max));
const destinationKind = z.enum(destinationKindNames);
const kind = z.enum(alertKindNames);

export const alertLanguages = { both: 'Both languages', en: 'English', zh: 'Chinese' } as const;
export type AlertLanguage = keyof typeof alertLanguages;
export const alertLanguageNames = Object.keys(alertLanguages) as [AlertLanguage, ...AlertLanguage[]];
const language = z.enum(alertLanguageNames);

export const alertDestination = z.object({
  id: z.int(),
  kind: destinationKind,
  name: z.string(),
  language,
  /** Settings without the secrets. */
  settings: z.record(z.string(), z.string()),
  /** Names of the secrets that are set. */
  secrets: z.array(z.string()),
  /** Host to which notifications are sent; empty for email. */
  place: z.string(),
  created_time: z.int(),
  /** Time of the last notification, sent or failed; 0: none. */
  last_time: z.int(),
  /** Reason why the last notification failed; empty if it was sent. */
  last_error: z.string(),
});
export type AlertDestination = z.infer<typeof alertDestination>;

/** By field name of the kind. Omitted secrets are unchanged. */
const settings = z.record(z.string().check(z.maxLength(40)), z.string().check(z.trim(), z.maxLength(2000)));

const clock = z._default(z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/)), '');

const ruleFields = z.object({
  kind,
  /** Empty: the description of the rule is shown. */
  name: z._default(z.string().check(z.trim(), z.maxLength(alertNameLength.max)), ''),
  enabled: z._default(z.boolean(), true),
  /** In the unit of the alert kind; 0 if the kind has no threshold. */
  threshold: z._default(z.number().check(z.minimum(0), z.maximum(1_000_000_000_000_000)), 0),
  window_minutes: z._default(z.int().check(z.minimum(1), z.maximum(60)), 10),
  /** Minimum number of requests; with fewer, the rule does not fire. */
  least_requests: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 20),
  /** `channel` measures each channel, `all` measures all requests together. */
  per: z._default(z.enum(['channel', 'gateway']), 'channel'),
  /** Empty: all. */
  channels: z._default(z.array(rowId).check(z.maxLength(maxChannelsPerRule)), []),
  /** Empty: any. */
  tag: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  group: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  receivers: z.array(rowId).check(z.minLength(1), z.maxLength(20)),
  /** Quiet hours, during which notifications are held back until the end. Both empty: none. */
  quiet_from: clock,
  quiet_to: clock,
  time_zone: z._default(z.string().check(z.maxLength(100), z.refine(isTimeZone)), 'UTC'),
  /** Repeat interval in minutes; 0: every alert is sent. */
  repeat_minutes: z._default(z.int().check(z.minimum(0), z.maximum(43_200)), 0),
});

type RuleFields = z.infer<typeof ruleFields>;

function hasValidThreshold({ kind: of, threshold }: RuleFields): boolean {
  const { threshold: row } = alertKind(of);
  return row === undefined ? threshold === 0 : threshold >= row.min && threshold <= row.max;
}

const hasValidQuietHours = ({ quiet_from, quiet_to }: RuleFields): boolean =>
  (quiet_from === '') === (quiet_to === '') && (quiet_from === '' || quiet_from !== quiet_to);

/** The fields of a rule, validated as a whole. */
const rule = ruleFields.check(
  z.refine(hasValidThreshold, { path: ['threshold'] }),
  z.refine(hasValidQuietHours, { path: ['quiet_to'] }),
);
export type AlertRuleFields = RuleFields;

/** `receivers` is empty if all destinations of the rule were deleted. */
export const alertRule = z.extend(ruleFields, { id: z.int(), created_time: z.int(), receivers: z.array(rowId) });
export type AlertRule = z.infer<typeof alertRule>;

export const alertStates = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const;
export type AlertState = keyof typeof alertStates;
export const alertStateNames = Object.keys(alertStates) as [AlertState, ...AlertState[]];
const state = z.enum(alertStateNames);

export const alertNotification = z.object({
  id: z.int(),
  kind: z.string(),
  receiver_id: z.int(),
  receiver_kind: z.string(),
  /** Name at the time of sending. */
  receiver_name: z.string(),
  title: z.string(),
  lines: z.array(z.string()),
  state,
  tries: z.int(),
  created_time: z.int(),
  /** Time of the next attempt while the notification is pending. */
  next_time: z.int(),
  /** Time of delivery; 0: not delivered. */
  sent_time: z.int(),
  last_error: z.string(),
  /** Console page of the subject; empty if none. */
  page: z._default(z.string(), ''),
});
export type AlertNotification = z.infer<typeof alertNotification>;

export const alertApi = {
  receivers: {
    method: 'GET',
    path: '/api/alert/receivers',
    access: 'admin',
    reply: z.array(alertDestination),
  },
  receiver: {
    method: 'GET',
    path: '/api/alert/receivers/:id',
    access: 'admin',
    params: idParams,
    reply: alertDestination,
  },
  addReceiver: {
    method: 'POST',
    path: '/api/alert/receivers',
    access: 'admin',
    body: z.object({ kind: destinationKind, name, language: z._default(language, 'both'), settings }),
    reply: alertDestination,
  },
  updateReceiver: {
    method: 'PUT',
    path: '/api/alert/receivers/:id',
    access: 'admin',
    params: idParams,
    body: z.object({ name, language: z._default(language, 'both'), settings }),
    reply: alertDestination,
  },
  removeReceiver: {
    method: 'DELETE',
    path: '/api/alert/receivers/:id',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  testReceiver: {
    method: 'POST',
    path: '/api/alert/receivers/:id/test',
    access: 'admin',
    params: idParams,
    reply: z.object({
      ok: z.boolean(),
      /** Response of the destination, shortened. */
      answer: z.string(),
      ms: z.int(),
    }),
  },
  rules: {
    method: 'GET',
    path: '/api/alert/rules',
    access: 'admin',
    reply: z.array(alertRule),
  },
  rule: {
    method: 'GET',
    path: '/api/alert/rules/:id',
    access: 'admin',
    params: idParams,
    reply: alertRule,
  },
  addRule: {
    method: 'POST',
    path: '/api/alert/rules',
    access: 'admin',
    body: rule,
    reply: alertRule,
  },
  updateRule: {
    method: 'PUT',
    path: '/api/alert/rules/:id',
    access: 'admin',
    params: idParams,
    body: rule,
    reply: alertRule,
  },
  removeRule: {
    method: 'DELETE',
    path: '/api/alert/rules/:id',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  history: {
    method: 'GET',
    path: '/api/alert/history',
    access: 'admin',
    query: z.extend(pageQuery, {
      state: z.optional(state),
      receiver: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
    }),
    reply: z.array(alertNotification),
    list: true,
  },
  sendAgain: {
    method: 'POST',
    path: '/api/alert/history/:id/again',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
