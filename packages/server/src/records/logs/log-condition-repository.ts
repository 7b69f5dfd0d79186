import { type LogSubject, logType, optionKeys, optionRow, type SearchableField, tagsMember } from '@headgate/contract';
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { containsText } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { type LogFilter, typesOf } from './log-filter.ts';

type Where = ExpressionBuilder<Schema, 'logs' | 'usage_hours'>;

/** Condition of a filter on logs or their hourly rollup, without its time range. */
export function logCondition(where: Where, filter: LogFilter) {
  const { exact, containing = {}, users, about, channels } = filter;
  const { type, ...others } = exact;
  const types = typesOf(filter);
  const logs = asLogs(where);
  const texts = Object.entries(containing) as [SearchableField, string][];
  return where.and([
    where.and(others),
    // A literal, because PostgreSQL does not use partial indexes with a parameter.
    ...(type === undefined ? [] : [where('type', '=', where.lit(type))]),
    ...(types === undefined ? [] : [where('type', 'in', types.map(where.lit))]),
    // Lets SQLite use the index of all logs except consumption.
    ...(mayBeConsumption(type, types) ? [] : [where('type', '<>', where.lit(logType.consumption))]),
    ...(isWholeBulkEvents(filter) ? [logs('request_id', '=', '')] : []),
    ...(channels === undefined ? [] : [isAnyOf(where, 'channel', channels)]),
    ...contentConditions(logs, filter),
    ...texts.map(([column, text]) => containsText(where, column, text)),
    ...(about === undefined ? [] : [matchesSubject(where, about)]),
    ...(users === undefined ? [] : [isAnyOf(where, 'user_id', users)]),
  ]);
}

/** For columns that rollups do not have. Filters by such columns are never used on rollups. */
const asLogs = (where: Where) => where as unknown as ExpressionBuilder<Schema, 'logs'>;

function contentConditions(where: ExpressionBuilder<Schema, 'logs'>, { text, tags = [] }: LogFilter) {
  return [...(text === undefined ? [] : [containsText(where, 'content', text)]), ...tags.map(hasTag)];
}

/** Tags are the last member of the detail, and their values need no escapes in JSON. */
function hasTag([key, value]: readonly [string, string]) {
  const pattern = `%"${tagsMember}":{%"${key}":"${value}"%`.replaceAll('_', '\\_');
  return sql<SqlBool>`lower(detail) like lower(${pattern}) escape '\\'`;
}

const isAnyOf = (where: Where, column: 'user_id' | 'channel', ids: readonly number[]) =>
  ids.length === 0 ? where.lit(false) : where(column, 'in', ids);

const mayBeConsumption = (type: number | undefined, types: readonly number[] | undefined): boolean =>
  type === undefined ? (types?.includes(logType.consumption) ?? true) : type === logType.consumption;

/**
 * Entries of individual objects have the id of their bulk change. The history of an object or a user lists these
 * entries; everywhere else, only the bulk change event is listed.
 */
const isWholeBulkEvents = ({ view, exact, containing, about, channels, users }: LogFilter): boolean => {
  const { channel, user_id, username, request_id } = exact;
  const object = channel ?? channels ?? user_id ?? username ?? containing?.username ?? users ?? about ?? request_id;
  return view === 'audit' && object === undefined;
};

/** Matches the audit events of one object, such as a redemption code. */
function matchesSubject(where: Where, subject: LogSubject) {
  const logs = asLogs(where);
  const { types, events, values } = tracesOf(subject);
  const anyOf = (texts: readonly string[]) => logs.or(texts.map((text) => containsText(logs, 'detail', text)));
  return where.and([logs('type', 'in', types), anyOf(events.map((event) => `{"event":"${event}`)), anyOf(values)]);
}

interface Traces {
  readonly types: readonly number[];
  readonly events: readonly string[];
  /** JSON fragments. User input cannot contain them, because quotes in it are escaped. */
  readonly values: readonly string[];
}

function tracesOf(subject: LogSubject): Traces {
  if (subject.kind === 'redemption') {
    return {
      types: [logType.management, logType.topUp],
      events: ['redemption.', 'user.redeemed"', 'plan.redeemed"'],
      values: [`"id":${subject.id},`, `"id":${subject.id}}`],
    };
  }
  const keys = optionKeys.filter((key) => optionRow(key).section === subject.section);
  return { types: [logType.management], events: ['option.'], values: keys.map((key) => `"key":"${key}"`) };
}
