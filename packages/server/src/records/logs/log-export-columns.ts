import {
  type Cell,
  fillTemplate,
  type Log,
  logEndCauses,
  logEventMessages,
  logEvents,
  logReasons,
  logTypes,
} from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';
import { dollars, type ExportColumn, type ExportManner } from '../exports/export-manner.ts';
import { exportLanguage } from '../exports/export-words.ts';
import { timeWriter } from '../exports/local-time.ts';
import { at, type ReadLog } from './log-export-row.ts';

export interface LogExportManner extends ExportManner {
  readonly isForAdmins: boolean;
}

/** Columns that are summed for each type. */
export const summed = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'quota',
  'cost',
] as const;

export type Sums = Pick<Log, 'type' | (typeof summed)[number]>;

/** Cells are written directly from the rows, because building API objects took as long as reading the rows. */
interface LogColumn extends ExportColumn<ReadLog> {
  /** Content of the column in a row of sums. */
  readonly sum: (sums: Sums) => Cell;
}

interface Labelled {
  readonly label: string;
}

const noSum = () => '';

export function logColumns(manner: LogExportManner): readonly LogColumn[] {
  const { say, label } = exportLanguage(manner.language);
  const time = timeWriter(manner.timeZone);
  const typeOf = (type: number) => label(logTypes[type]?.label ?? 'Unknown');
  const dollarsOf = (points: number) => dollars(points, manner.quotaPerUnit);
  const sentenceOf = sentences(manner.language, time);
  const nameOf = <Name extends string>(table: Readonly<Record<Name, Labelled>>, name: Name | '') =>
    name !== '' && Object.hasOwn(table, name) ? label(table[name].label) : '';
  const counter = (title: string, name: keyof Sums): LogColumn => ({
    title,
    cell: (log) => log[at[name]],
    sum: (sums) => sums[name],
  });
  const columns: readonly (LogColumn | false)[] = [
    { title: say('Time'), cell: (log) => time(log[at.created_at]), sum: () => say('Total') },
    { title: say('Type'), cell: (log) => typeOf(log[at.type]), sum: ({ type }) => typeOf(type) },
    manner.isForAdmins && { title: say('Channel'), cell: (log) => log[at.channel] || '', sum: noSum },
    manner.isForAdmins && { title: say('User'), cell: (log) => log[at.username], sum: noSum },
    { title: say('Token'), cell: (log) => log[at.token_name], sum: noSum },
    { title: say('Model'), cell: (log) => log[at.model_name], sum: noSum },
    counter(say('Prompt tokens'), 'prompt_tokens'),
    counter(say('Completion tokens'), 'completion_tokens'),
    counter(say('Quota (points)'), 'quota'),
    { title: say('Quota (USD)'), cell: (log) => dollarsOf(log[at.quota]), sum: ({ quota }) => dollarsOf(quota) },
    manner.isForAdmins && {
      title: say('Cost (USD)'),
      cell: (log) => dollarsOf(log[at.cost]),
      sum: ({ cost }) => dollarsOf(cost),
    },
    counter(say('Cached tokens'), 'cached_tokens'),
    counter(say('Cache write tokens'), 'cache_write_tokens'),
    counter(say('Reasoning tokens'), 'reasoning_tokens'),
    { title: say('Group'), cell: (log) => log[at.group], sum: noSum },
    { title: say('Duration (ms)'), cell: (log) => log[at.elapsed_time] || '', sum: noSum },
    {
      title: say('Time to first byte (ms)'),
      cell: (log) => log[at.first_byte_time] || '',
      sum: noSum,
    },
    { title: say('Stream'), cell: (log) => (log[at.is_stream] ? 1 : ''), sum: noSum },
    { title: say('Ended early'), cell: (log) => nameOf(logEndCauses, log[at.ended_by]), sum: noSum },
    { title: say('HTTP status'), cell: (log) => log[at.status] || '', sum: noSum },
    { title: say('Reason'), cell: (log) => nameOf(logReasons, log[at.reason]), sum: noSum },
    { title: say('Request ID'), cell: (log) => log[at.request_id], sum: noSum },
    { title: say('Details'), cell: sentenceOf, sum: noSum },
  ];
  return columns.filter((column) => column !== false);
}

type Values = Readonly<Record<string, string | number>>;

/** Text of a row, translated if its event is known. */
function sentences(language: Language, time: (seconds: number) => string): (log: ReadLog) => string {
  return (log) => {
    const [content, detail] = [log[at.content], log[at.detail]];
    if (!detail.startsWith('{"event"')) return content;
    const { event, values = {} } = parsed(detail);
    const sentence = Object.hasOwn(logEvents, event) ? logEvents[event as keyof typeof logEvents] : undefined;
    if (sentence === undefined) return content;
    const { seconds } = values;
    const local = typeof seconds === 'number' ? { ...values, time: time(seconds) } : values;
    return fillTemplate(language === 'zh' ? logEventMessages[sentence] : sentence, local);
  };
}

function parsed(detail: string): { event: string; values?: Values } {
  try {
    // trusted JSON: written by this program.
    return JSON.parse(detail) as { event: string; values?: Values };
  } catch {
    return { event: '' };
  }
}
