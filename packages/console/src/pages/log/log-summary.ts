import { fillTemplate, type Log, type LogReason, logEvents, logReasons } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';
import { trimAmounts } from '../../lib/format/trim-amounts.ts';
import { localizeTimes, readDetail } from './log-detail.ts';

/** Sentence of a row, translated if its event is known. */
export function useLogSummary(): (log: Log) => string {
  const { label } = useTranslation();
  return (log) => {
    const { event, values, refused } = readDetail(log);
    if (event) return fillTemplate(label(logEvents[event]), localizeTimes(trimAmounts(values)));
    return refused && refused > 1 ? `${log.content} (×${refused})` : log.content;
  };
}

/** Label of a failure reason; unknown reasons from later versions are shown unchanged. */
export function useReasonLabel(): (reason: string) => string {
  const { label } = useTranslation();
  return (reason) => (Object.hasOwn(logReasons, reason) ? label(logReasons[reason as LogReason].label) : reason);
}
