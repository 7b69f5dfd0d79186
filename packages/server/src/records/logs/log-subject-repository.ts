import { type LogSubject, logType, optionKeys, optionRow } from '@headgate/contract';
import type { ExpressionBuilder } from 'kysely';
import { containsText } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';

/** Matches the audit events of one object, such as a redemption code. */
export function matchesSubject(where: ExpressionBuilder<Schema, 'logs' | 'usage_hours'>, subject: LogSubject) {
  // Rollups have no `detail` column; this filter is never used on them.
  const logs = where as unknown as ExpressionBuilder<Schema, 'logs'>;
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
      events: ['redemption.', 'user.redeemed"'],
      values: [`"id":${subject.id},`, `"id":${subject.id}}`],
    };
  }
  const keys = optionKeys.filter((key) => optionRow(key).section === subject.section);
  return { types: [logType.management], events: ['option.'], values: keys.map((key) => `"key":"${key}"`) };
}
