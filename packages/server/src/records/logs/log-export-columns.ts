import {
  type Cell,
  fillTemplate,
  formatTag,
  type Log,
  logEndCauses,
  logEventMessages,
  logEvents,
  logReasons,
  logTypes,
} from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';
import {
  dollars,
  type ExportColumn,
  type ExportFileFormat,
  exportTexts,
  localTimeFormatter,
} from '../exports/export-format.ts';
import { columnIndex, type ExportedLog } from './log-export-row.ts';
import { readRequestTags } from './request-tags-in.ts';

export interface LogExportFormat extends ExportFileFormat {
  readonly isForAdmins: boolean;
}

/** Columns that are summed for each type. */
export const summedColumns = [
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'quota',
  'cost',
] as const;

export type Sums = Pick<Log, 'type' | (typeof summedColumns)[number]>;

/** Cells are written directly from the rows, because building API objects took as long as reading the rows. */
interface LogColumn extends ExportColumn<ExportedLog> {
  /** Content of the column in a row of sums. */
  readonly sum: (sums: Sums) => Cell;
}

interface Labelled {
  readonly label: string;
}

const noSum = () => '';

export function logColumns(format: LogExportFormat): readonly LogColumn[] {
  const { say, label } = exportTexts(format.language);
  const time = localTimeFormatter(format.timeZone);
  const typeOf = (type: number) => label(logTypes[type]?.label ?? 'Unknown');
  const dollarsOf = (points: number) => dollars(points, format.quotaPerUnit);
  const sentenceOf = sentences(format.language, time);
  const nameOf = <Name extends string>(table: Readonly<Record<Name, Labelled>>, name: Name | '') =>
    name !== '' && Object.hasOwn(table, name) ? label(table[name].label) : '';
  const counter = (title: string, name: keyof Sums): LogColumn => ({
    title,
    cell: (log) => log[columnIndex[name]],
    sum: (sums) => sums[name],
  });
  const columns: readonly (LogColumn | false)[] = [
    { title: say('Time'), cell: (log) => time(log[columnIndex.created_at]), sum: () => say('Total') },
    { title: say('Type'), cell: (log) => typeOf(log[columnIndex.type]), sum: ({ type }) => typeOf(type) },
    format.isForAdmins && { title: say('Channel'), cell: (log) => log[columnIndex.channel] || '', sum: noSum },
    format.isForAdmins && { title: say('User'), cell: (log) => log[columnIndex.username], sum: noSum },
    { title: say('Token'), cell: (log) => log[columnIndex.token_name], sum: noSum },
    { title: say('Model'), cell: (log) => log[columnIndex.model_name], sum: noSum },
    counter(say('Prompt tokens'), 'prompt_tokens'),
    counter(say('Completion tokens'), 'completion_tokens'),
    counter(say('Quota (points)'), 'quota'),
    {
      title: say('Quota (USD)'),
      cell: (log) => dollarsOf(log[columnIndex.quota]),
      sum: ({ quota }) => dollarsOf(quota),
    },
    format.isForAdmins && {
      title: say('Cost (USD)'),
      cell: (log) => dollarsOf(log[columnIndex.cost]),
      sum: ({ cost }) => dollarsOf(cost),
    },
    counter(say('Cached tokens'), 'cached_tokens'),
    counter(say('Cache write tokens'), 'cache_write_tokens'),
    counter(say('Reasoning tokens'), 'reasoning_tokens'),
    { title: say('Group'), cell: (log) => log[columnIndex.group], sum: noSum },
    { title: say('Duration (ms)'), cell: (log) => log[columnIndex.elapsed_time] || '', sum: noSum },
    {
      title: say('Time to first byte (ms)'),
      cell: (log) => log[columnIndex.first_byte_time] || '',
      sum: noSum,
    },
    { title: say('Stream'), cell: (log) => (log[columnIndex.is_stream] ? 1 : ''), sum: noSum },
    { title: say('Ended early'), cell: (log) => nameOf(logEndCauses, log[columnIndex.ended_by]), sum: noSum },
    { title: say('HTTP status'), cell: (log) => log[columnIndex.status] || '', sum: noSum },
    { title: say('Reason'), cell: (log) => nameOf(logReasons, log[columnIndex.reason]), sum: noSum },
    { title: say('Tags'), cell: (log) => tagsOf(log[columnIndex.detail]), sum: noSum },
    { title: say('Request ID'), cell: (log) => log[columnIndex.request_id], sum: noSum },
    { title: say('Details'), cell: sentenceOf, sum: noSum },
  ];
  return columns.filter((column) => column !== false);
}

/** Tags of a request as `key=value`, separated by commas. */
function tagsOf(detail: string): string {
  return Object.entries(readRequestTags(detail)).map(formatTag).join(',');
}

type Values = Readonly<Record<string, string | number>>;

/** Text of a row, translated if its event is known. */
function sentences(language: Language, time: (seconds: number) => string): (log: ExportedLog) => string {
  return (log) => {
    const [content, detail] = [log[columnIndex.content], log[columnIndex.detail]];
    if (!detail.startsWith('{"event"')) return content;
    const { event, values } = parsed(detail);
    const sentence = Object.hasOwn(logEvents, event) ? logEvents[event as keyof typeof logEvents] : undefined;
    if (sentence === undefined) return content;
    const given = values ?? {};
    const { seconds } = given;
    const local = typeof seconds === 'number' ? { ...given, time: time(seconds) } : given;
    return fillTemplate(language === 'zh' ? logEventMessages[sentence] : sentence, local);
  };
}

function parsed(detail: string): { event: string; values?: Values | null } {
  try {
    // trusted JSON: written by this program.
    return JSON.parse(detail) as { event: string; values?: Values | null };
  } catch {
    return { event: '' };
  }
}
