import { defaultGroup, type Parsed, type userApi } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { type EventRecord, type LogService, userEvent } from '../../records/logs/log-service.ts';

type Update = Parsed<typeof userApi.update>['body'];

/** Fields that differ from the stored row. */
export interface UserDiff {
  readonly columns: Partial<Pick<UserRow, 'username' | 'display_name' | 'group'>>;
  readonly quota: number | undefined;
  readonly hasPassword: boolean;
}

export function diffUser(target: UserRow, update: Update): UserDiff {
  const wanted = { username: update.username, display_name: update.display_name, group: storedGroup(update.group) };
  const columns = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== target[name as keyof typeof wanted],
  );
  return {
    columns: Object.fromEntries(columns),
    quota: update.quota === target.quota ? undefined : update.quota,
    hasPassword: update.password !== undefined,
  };
}

/** One log entry per changed field, with old and new value. */
export function changeLogEntries(
  actor: UserRow,
  target: UserRow,
  { columns, quota, hasPassword }: UserDiff,
  logs: LogService,
): EventRecord[] {
  const { username, display_name, group } = columns;
  const record = (event: EventRecord['event'], values?: EventRecord['values']) =>
    userEvent(actor, target, event, values);
  const amounts = { before: logs.amount(target.quota), after: logs.amount(quota ?? target.quota) };
  return [
    username !== undefined && record('user.renamed', { before: target.username, after: username }),
    display_name !== undefined && record('user.display_name', { before: target.display_name, after: display_name }),
    group !== undefined && record('user.group', { before: target.group, after: group }),
    quota !== undefined && { ...record('user.quota', amounts), quota: quota - target.quota },
    hasPassword && record('user.password'),
  ].filter((made) => made !== false);
}

/** An empty group resets to the default one. */
const storedGroup = (group: string | undefined) => (group === '' ? defaultGroup : group);
