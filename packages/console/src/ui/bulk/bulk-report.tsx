import type { BulkFieldChange, BulkReport, BulkReportRow } from '@headgate/contract';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import styles from './bulk.module.css';

/** Formatters for field labels and values in a report. */
export interface ReportLabels {
  readonly field: (name: string) => string;
  readonly value: (field: string, value: string) => string;
}

interface BulkReportViewProps {
  /** Undefined while loading. */
  readonly report: BulkReport | undefined;
  readonly labels: ReportLabels;
  readonly tense: 'future' | 'past';
}

/** Maximum rows listed individually; the rest is only counted. */
const maxRows = 200;

const ranks = { failed: 0, changed: 1, unchanged: 2 } as const;

/** Result of each row; rows that cannot be changed come first. */
export function BulkReportView({ report, labels, tense }: BulkReportViewProps) {
  const { t } = useTranslation();
  if (!report) {
    return (
      <Stack gap={8} role="status" aria-label={t('Previewing changes…')}>
        <Skeleton height={18} width="60%" />
        <Skeleton height={120} />
      </Stack>
    );
  }
  const rows = report.rows.toSorted((one, other) => ranks[one.outcome] - ranks[other.outcome]);
  const more = rows.length - maxRows;
  return (
    <Stack gap={8}>
      <Counts report={report} tense={tense} />
      <ul className={styles['rows']} aria-label={t('Results by row')}>
        {rows.slice(0, maxRows).map((row) => (
          <li key={row.id} data-outcome={row.outcome}>
            <span className={styles['name']}>{row.name || `#${row.id}`}</span>
            <Outcome row={row} labels={labels} />
          </li>
        ))}
        {more > 0 && <li>{t('and {count} more', { count: formatNumber(more) })}</li>}
      </ul>
    </Stack>
  );
}

function Counts({
  report: { changed, unchanged, failed },
  tense,
}: Required<Omit<BulkReportViewProps, 'labels'>> & {
  readonly report: BulkReport;
}) {
  const { t } = useTranslation();
  const isPast = tense === 'past';
  return (
    <Text size="sm" role="status" className={styles['counts'] ?? ''}>
      <b>
        {isPast
          ? t('{count} changed', { count: formatNumber(changed) })
          : t('{count} will change', { count: formatNumber(changed) })}
      </b>
      {unchanged > 0 && <span>{t('{count} unchanged', { count: formatNumber(unchanged) })}</span>}
      {failed > 0 && (
        <span data-failed>
          {isPast
            ? t('{count} could not be changed', { count: formatNumber(failed) })
            : t('{count} cannot be changed', { count: formatNumber(failed) })}
        </span>
      )}
    </Text>
  );
}

interface OutcomeProps {
  readonly row: BulkReportRow;
  readonly labels: ReportLabels;
}

function Outcome({ row: { outcome, message, changes }, labels }: OutcomeProps) {
  const { t } = useTranslation();
  if (outcome === 'failed') return <span className={styles['failure']}>{message}</span>;
  if (outcome === 'unchanged') return <span className={styles['same']}>{t('unchanged')}</span>;
  return (
    <span className={styles['changes']}>
      {changes.map((change) => (
        <Change key={change.field} change={change} labels={labels} />
      ))}
    </span>
  );
}

function Change({ change, labels }: { readonly change: BulkFieldChange; readonly labels: ReportLabels }) {
  const { t } = useTranslation();
  const { field, before, after, added, removed } = change;
  if (field === 'deleted') return <span className={styles['failure']}>{t('deleted')}</span>;
  const name = <span className={styles['field']}>{labels.field(field)}</span>;
  if (added.length + removed.length > 0) {
    return (
      <span>
        {name}
        {added.map((each) => (
          <ins key={each}>+{each}</ins>
        ))}
        {removed.map((each) => (
          <del key={each}>−{each}</del>
        ))}
      </span>
    );
  }
  const shown = (value: string) => labels.value(field, value) || t('none');
  return (
    <span>
      {name}
      {shown(before)} → <b>{shown(after)}</b>
    </span>
  );
}
