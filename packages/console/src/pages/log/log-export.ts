import {
  byteOrderMark,
  type Cell,
  csvLine,
  type Log,
  logEnders,
  logTypes,
  type QuotaDisplay,
} from '@headgate/contract';
import type { WordsIn } from '../../i18n/translate.ts';
import { downloadText } from '../../lib/download.ts';
import { formatTime } from '../../lib/format.ts';
import { collectLogs } from './collect-logs.ts';
import type { Report } from './log-export-progress.ts';
import { endOf } from './log-filters.ts';
import { type LogScope, readLogs } from './log-queries.ts';

interface ExportWords extends Pick<WordsIn, 't' | 'label'> {
  readonly sentenceOf: (log: Log) => string;
}

interface ExportRequest {
  readonly scope: LogScope;
  readonly words: ExportWords;
  readonly display: QuotaDisplay;
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** Reads all that the filters leave, page by page, and hands it over as a file with the sums at its foot. */
export async function exportLogs({ scope, words, display, signal, report }: ExportRequest) {
  const now = Math.floor(Date.now() / 1000);
  // What comes in meanwhile would push rows from one page to the next.
  const end = Math.min(endOf(scope.filters, now), now);
  const asked = { ...scope, filters: { ...scope.filters, end } };
  const { logs, total, isWhole } = await collectLogs((page) => readLogs(asked, page, signal), report);
  const columns = columnsOf({ isAdmin: scope.isAdmin, words, display });
  const { t } = words;
  const span = `${formatTime(scope.filters.start)} – ${formatTime(end)}`;
  const lines = [
    csvLine(columns.map(({ title }) => title)),
    ...logs.map((log) => csvLine(columns.map(({ cell }) => cell(log)))),
    ...sumsOf(logs).map((sums) => csvLine(columns.map(({ sum }, index) => (index === 0 ? t('Sum') : sum(sums))))),
    csvLine([t('Covered'), span, t('{count} of {total} logs', { count: logs.length, total: total ?? logs.length })]),
  ];
  downloadText(`logs-${formatTime(now).replace(/\D+/g, '-')}.csv`, byteOrderMark + lines.join(''), 'text/csv');
  return { count: logs.length, isWhole };
}

type Sums = Pick<Log, 'type' | 'prompt_tokens' | 'completion_tokens' | 'quota'>;

/** One sum for each type: what was topped up and what was spent do not add up to anything. */
function sumsOf(logs: readonly Log[]): Sums[] {
  const sums = new Map<number, Sums>();
  for (const { type, prompt_tokens, completion_tokens, quota } of logs) {
    const sum = sums.get(type) ?? { type, prompt_tokens: 0, completion_tokens: 0, quota: 0 };
    sums.set(type, {
      type,
      prompt_tokens: sum.prompt_tokens + prompt_tokens,
      completion_tokens: sum.completion_tokens + completion_tokens,
      quota: sum.quota + quota,
    });
  }
  return [...sums.values()].sort((one, other) => one.type - other.type);
}

interface ExportColumn {
  readonly title: string;
  readonly cell: (log: Log) => Cell;
  readonly sum: (sums: Sums) => Cell;
}

interface ColumnParts extends Pick<ExportRequest, 'words' | 'display'> {
  readonly isAdmin: boolean;
}

const noSum = () => '';

function columnsOf({ isAdmin, words: { t, label, sentenceOf }, display }: ColumnParts): readonly ExportColumn[] {
  const typeOf = ({ type }: Pick<Log, 'type'>) => label(logTypes[type]?.label ?? 'Unknown');
  const amountOf = ({ quota }: Pick<Log, 'quota'>) => Number((quota / display.quota_per_unit).toFixed(6));
  const same = <Name extends keyof Sums>(title: string, name: Name): ExportColumn => ({
    title,
    cell: (log) => log[name],
    sum: (sums) => sums[name],
  });
  const columns: readonly (ExportColumn | false)[] = [
    { title: t('Time'), cell: (log) => formatTime(log.created_at), sum: noSum },
    { title: t('Type'), cell: typeOf, sum: typeOf },
    isAdmin && { title: t('Channel'), cell: ({ channel }) => channel || '', sum: noSum },
    isAdmin && { title: t('User'), cell: ({ username }) => username, sum: noSum },
    { title: t('Token'), cell: ({ token_name }) => token_name, sum: noSum },
    { title: t('Model'), cell: ({ model_name }) => model_name, sum: noSum },
    same(t('Prompt tokens'), 'prompt_tokens'),
    same(t('Completion tokens'), 'completion_tokens'),
    same(t('Points of quota'), 'quota'),
    { title: t('Quota in dollars'), cell: amountOf, sum: amountOf },
    { title: t('Milliseconds'), cell: ({ elapsed_time }) => elapsed_time || '', sum: noSum },
    { title: t('Stream'), cell: ({ is_stream }) => (is_stream ? 1 : ''), sum: noSum },
    { title: t('Ended early'), cell: ({ ended_by }) => (ended_by ? label(logEnders[ended_by].label) : ''), sum: noSum },
    { title: t('Request ID'), cell: ({ request_id }) => request_id, sum: noSum },
    { title: t('Details'), cell: sentenceOf, sum: noSum },
  ];
  return columns.filter((column) => column !== false);
}
