import { type OptionKey, optionRow } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { adminEvent, type EventRecord } from './log-service.ts';

/** Long values, such as whole pages, are truncated to keep the log readable. */
const maxInLogLength = 200;
const halfOfPair = /[\ud800-\udbff]$/;
const shortened = (text: string): string =>
  text.length <= maxInLogLength ? text : `${text.slice(0, maxInLogLength - 1).replace(halfOfPair, '')}…`;

interface OptionChange {
  readonly key: OptionKey;
  readonly before: string;
  readonly after: string;
}

/** Audit event of a changed option, without secret values. */
export function optionAuditEvent(admin: UserRow, { key, before, after }: OptionChange): EventRecord {
  if (optionRow(key).control === 'secret') return adminEvent(admin, 'option.secret', { key });
  const event = before === '' ? 'option.set' : after === '' ? 'option.emptied' : 'option.updated';
  return adminEvent(admin, event, { key, before: shortened(before), after: shortened(after) });
}
