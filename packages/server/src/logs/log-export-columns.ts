import {
  type Cell,
  fillSentence,
  type Log,
  logEnders,
  logEvents,
  logEventWords,
  logReasons,
  logTypes,
} from '@headgate/contract';
import { dollars, type ExportColumn, type ExportManner } from '../exports/export-manner.ts';
import { type ExportLanguage, exportLanguage } from '../exports/export-words.ts';
import { timeWriter } from '../exports/local-time.ts';
import type { Language } from '../refusal.ts';
import type { LogRow } from './log-repository.ts';

export interface LogExportManner extends ExportManner {
  readonly isForAdmins: boolean;
}

/** What is added up, beside the type of which it is the sum. */
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

/** Cells are written from rows as they are stored: to make what replies show of each took as long as to read it. */
interface LogColumn extends ExportColumn<LogRow> {
  /** What stands under the column in a line of sums. */
  readonly sum: (sums: Sums) => Cell;
}

const noSum = () => '';

export function logColumns(manner: LogExportManner): readonly LogColumn[] {
  const { say, label } = exportLanguage(manner.language);
  const time = timeWriter(manner.timeZone);
  const typeOf = ({ type }: Pick<Log, 'type'>) => label(logTypes[type]?.label ?? 'Unknown');
  const dollarsOf = ({ quota }: Pick<Log, 'quota'>) => dollars(quota, manner.quotaPerUnit);
  const costOf = ({ cost }: Pick<Log, 'cost'>) => dollars(cost, manner.quotaPerUnit);
  const sentenceOf = sentences(manner.language, time);
  const counter = (title: string, name: keyof Sums): LogColumn => ({
    title,
    cell: (log) => log[name],
    sum: (sums) => sums[name],
  });
  const columns: readonly (LogColumn | false)[] = [
    { title: say('Time'), cell: (log) => time(log.created_at), sum: () => say('Sum') },
    { title: say('Type'), cell: typeOf, sum: typeOf },
    manner.isForAdmins && { title: say('Channel'), cell: ({ channel }) => channel || '', sum: noSum },
    manner.isForAdmins && { title: say('User'), cell: ({ username }) => username, sum: noSum },
    { title: say('Token'), cell: ({ token_name }) => token_name, sum: noSum },
    { title: say('Model'), cell: ({ model_name }) => model_name, sum: noSum },
    counter(say('Prompt tokens'), 'prompt_tokens'),
    counter(say('Completion tokens'), 'completion_tokens'),
    counter(say('Points of quota'), 'quota'),
    { title: say('Quota in dollars'), cell: dollarsOf, sum: dollarsOf },
    manner.isForAdmins && { title: say('Cost in dollars'), cell: costOf, sum: costOf },
    counter(say('Cached tokens'), 'cached_tokens'),
    counter(say('Cache-writing tokens'), 'cache_write_tokens'),
    counter(say('Reasoning tokens'), 'reasoning_tokens'),
    { title: say('Group'), cell: ({ group }) => group, sum: noSum },
    { title: say('Milliseconds'), cell: ({ elapsed_time }) => elapsed_time || '', sum: noSum },
    {
      title: say('Milliseconds to the first byte'),
      cell: ({ first_byte_time }) => first_byte_time || '',
      sum: noSum,
    },
    { title: say('Stream'), cell: ({ is_stream }) => (is_stream ? 1 : ''), sum: noSum },
    { title: say('Ended early'), cell: enderOf(label), sum: noSum },
    { title: say('HTTP status'), cell: ({ status }) => status || '', sum: noSum },
    { title: say('Reason'), cell: ({ reason }) => (reason ? label(logReasons[reason].label) : ''), sum: noSum },
    { title: say('Request ID'), cell: ({ request_id }) => request_id, sum: noSum },
    { title: say('Details'), cell: sentenceOf, sum: noSum },
  ];
  return columns.filter((column) => column !== false);
}

const enderOf =
  (label: ExportLanguage['label']) =>
  ({ ended_by }: LogRow) =>
    ended_by ? label(logEnders[ended_by].label) : '';

type Values = Readonly<Record<string, string | number>>;

/** What a row says, in the reader's language where the event behind its words is known. */
function sentences(language: Language, time: (seconds: number) => string): (log: LogRow) => string {
  return ({ content, detail }) => {
    if (!detail.startsWith('{"event"')) return content;
    const { event, values = {} } = parsed(detail);
    const sentence = Object.hasOwn(logEvents, event) ? logEvents[event as keyof typeof logEvents] : undefined;
    if (sentence === undefined) return content;
    const { seconds } = values;
    const local = typeof seconds === 'number' ? { ...values, time: time(seconds) } : values;
    return fillSentence(language === 'zh' ? logEventWords[sentence] : sentence, local);
  };
}

function parsed(detail: string): { event: string; values?: Values } {
  try {
    return JSON.parse(detail) as { event: string; values?: Values };
  } catch {
    return { event: '' };
  }
}
