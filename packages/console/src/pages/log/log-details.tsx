import { type Log, logEndCauses, logReasons, logType } from '@headgate/contract';
import { IconReceipt } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './log.module.css';
import { chargeOf } from './log-charge.ts';
import { formatElapsed, readDetail, speedColor } from './log-detail.ts';
import { useLogSentence } from './log-sentence.ts';

const receipts = () => import('./log-receipt-popover.tsx');
const LogReceiptPopover = lazy(async () => ({ default: (await receipts()).LogReceiptPopover }));

const LogBodies = lazy(async () => ({ default: (await import('./log-payloads.tsx')).LogPayloads }));

interface LogDetailsProps {
  readonly log: Log;
  readonly isAdmin: boolean;
}

/** Longer sentences are truncated in the list and complete in the receipt. */
const longSentence = 60;

/** Last cell of a row: duration, sentence and receipt. */
export function LogDetails({ log, isAdmin }: LogDetailsProps) {
  const { t, label } = useTranslation();
  const { elapsed_time, is_stream, system_prompt_reset, request_id, ended_by, reason } = log;
  const detail = readDetail(log);
  const sentence = useLogSentence()(log);
  const isCharged = chargeOf(log, detail) !== undefined;
  // The sentence of a charge only repeats its figures.
  const isArithmetic = isCharged && log.type === logType.consumption;
  const hasReceipt = request_id !== '' || isCharged || detail.attempts.length > 0 || sentence.length > longSentence;
  return (
    <div className={styles['details']}>
      <div className={styles['told']}>
        <div className={styles['marks']}>
          {elapsed_time > 0 && <Dot color={speedColor(elapsed_time)} text={formatElapsed(elapsed_time)} />}
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
        {sentence && !isArithmetic && (
          <div className={styles['sentence']}>
            {sentence}
            {isAdmin && detail.from && (
              <span className={styles['from']}> · {t('from {address}', { address: detail.from })}</span>
            )}
          </div>
        )}
      </div>
      {hasReceipt && <ReceiptButton log={log} isAdmin={isAdmin} />}
    </div>
  );
}

/** The popover is created when opened, because a page may have a hundred of them. */
function ReceiptButton({ log, isAdmin }: LogDetailsProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<Log>();
  const [isReading, setReading] = useState(false);
  const isOpen = opened === log;
  const buttonLabel = log.quota === 0 ? t('More details') : t('Cost breakdown');
  const close = () => {
    setOpened(undefined);
    button.current?.focus();
  };
  return (
    <span className={styles['receiptPlace']}>
      <button
        ref={button}
        type="button"
        className={styles['receiptButton']}
        aria-label={`${buttonLabel}: ${formatTime(log.created_at)}`}
        aria-expanded={isOpen}
        title={buttonLabel}
        // Preloads the receipt on hover.
        onPointerEnter={() => void receipts()}
        onFocus={() => void receipts()}
        // Otherwise the press would count as an outside click, close the receipt and open it again.
        onMouseDown={(event) => isOpen && event.stopPropagation()}
        onTouchStart={(event) => isOpen && event.stopPropagation()}
        onClick={() => setOpened(isOpen ? undefined : log)}
      >
        <IconReceipt size={18} stroke={1.6} aria-hidden />
      </button>
      {isOpen && (
        <Suspense>
          <LogReceiptPopover
            log={log}
            isAdmin={isAdmin}
            name={buttonLabel}
            onClose={close}
            // Replaces the receipt, which would close on an outside click.
            onShowPayloads={() => {
              close();
              setReading(true);
            }}
          />
        </Suspense>
      )}
      {isReading && (
        <Suspense>
          <LogBodies log={log} isAdmin={isAdmin} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </span>
  );
}
