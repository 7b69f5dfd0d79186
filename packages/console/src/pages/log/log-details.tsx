import { type Log, logEndCauses, logReasons, logType } from '@headgate/contract';
import { IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './log.module.css';
import { chargeOf } from './log-charge.ts';
import { formatElapsed, type LogDetail, readDetail, speedColor } from './log-detail.ts';
import { useLogSummary } from './log-summary.ts';

/** How rows open their details. */
export interface OpenLog {
  readonly keyOf: (log: Log) => string;
  readonly open: (key: string) => void;
  /** Loads the code of the details. */
  readonly preload: () => void;
}

interface LogDetailsProps {
  readonly log: Log;
  readonly isAdmin: boolean;
  readonly openLog: OpenLog;
}

/** Last cell of a row: duration, sentence and the button that opens the details. */
export function LogDetails({ log, isAdmin, openLog }: LogDetailsProps) {
  const { t } = useTranslation();
  const detail = readDetail(log);
  const sentence = useLogSummary()(log);
  const isCharged = chargeOf(log, detail) !== undefined;
  // The sentence of a charge would only repeat the columns.
  const isArithmetic = isCharged && log.type === logType.consumption;
  return (
    <div className={styles['details']}>
      <div className={styles['told']}>
        <Marks log={log} detail={detail} />
        {sentence && !isArithmetic && (
          <div className={styles['sentence']}>
            {sentence}
            {isAdmin && detail.from && (
              <span className={styles['from']}> · {t('from {address}', { address: detail.from })}</span>
            )}
          </div>
        )}
      </div>
      <OpenLogButton log={log} openLog={openLog} />
    </div>
  );
}

/** Duration of a request, and marks such as a missing price or a usage anomaly. */
function Marks({ log, detail }: { readonly log: Log; readonly detail: LogDetail }) {
  const { t, label } = useTranslation();
  const { elapsed_time, is_stream, system_prompt_reset, ended_by, reason } = log;
  const isFailed = log.type === logType.failure || ended_by !== '';
  return (
    <div className={styles['marks']}>
      {elapsed_time > 0 && (
        <Dot color={isFailed ? undefined : speedColor(elapsed_time)} text={formatElapsed(elapsed_time)} />
      )}
      {detail.unpriced && (
        <span className={styles['mark']} data-early>
          {t('No price')}
        </span>
      )}
      {detail.odd_usage && (
        <span className={styles['mark']} data-early>
          {t('Usage anomaly')}
        </span>
      )}
      {ended_by && log.type === logType.consumption && (
        <span className={styles['mark']} data-early>
          {label(logEndCauses[ended_by].label)}
        </span>
      )}
      {reason && (
        <span className={styles['mark']} data-early>
          {label(logReasons[reason].label)}
        </span>
      )}
      {is_stream && <span className={styles['mark']}>{t('Stream')}</span>}
      {system_prompt_reset && <span className={styles['mark']}>{t('System prompt')}</span>}
    </div>
  );
}

interface OpenLogProps {
  readonly log: Log;
  readonly openLog: OpenLog;
}

/** Opens the details; a click anywhere on the row does the same. */
function OpenLogButton({ log, openLog: { keyOf, open, preload } }: OpenLogProps) {
  const { t } = useTranslation();
  const key = keyOf(log);
  return (
    <button
      type="button"
      className={styles['receiptButton']}
      data-log-key={key}
      aria-label={`${t('Request details')}: ${formatTime(log.created_at)}`}
      title={t('Request details')}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => {
        event.stopPropagation();
        open(key);
      }}
    >
      <IconLayoutSidebarRightExpand size={18} stroke={1.6} aria-hidden />
    </button>
  );
}
