import { rollUpKeys } from '../logs/roll-up.ts';
import {
  narrowingSubject,
  subjectColumns,
  subjectsOf,
  type UsageFilter,
  type UsageQuestion,
} from './usage-question.ts';

export type Column = keyof UsageFilter;

/** The tables of sums that usage is read from, the smallest first. */
const sources = ['log_hours', 'model_hours', 'channel_hours', 'user_days', 'usage_hours'] as const;
export type Source = (typeof sources)[number];

/** The smallest table that tells these columns apart; that of days knows no hours. */
export function sourceFor(needed: ReadonlySet<Column>, isByTime: boolean): Source {
  const knows = (source: Source) => [...needed].every((column) => rollUpKeys[source].some((key) => key === column));
  return sources.find((source) => knows(source) && !(source === 'user_days' && isByTime)) ?? 'usage_hours';
}

/** Whether the finest sums are read, all of them: of no one user, of no one channel. */
export function readsFinest(question: UsageQuestion): boolean {
  const { filter } = question;
  if (filter.user_id !== undefined || filter.channel !== undefined) return false;
  const filtered = Object.keys(filter) as Column[];
  const isFine = (columns: readonly Column[]) => sourceFor(new Set([...filtered, ...columns]), false) === 'usage_hours';
  const subjects = subjectsOf(question);
  if (subjects.some((subject) => isFine(subjectColumns[subject]))) return true;
  // Of the largest users alone the sums are found by their users.
  return narrowingSubject(question) !== 'user' && isFine(subjects.flatMap((subject) => subjectColumns[subject]));
}
