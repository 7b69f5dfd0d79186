import { fillTemplate, type Log, type LogReason, logEvents, logReasons } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';
import { withShortAmounts } from '../../lib/format/short-amounts.ts';
import { readDetail, withLocalTime } from './log-detail.ts';

/** Sentence of a row, translated if its event is known. */
export function useLogSentence(): (log: Log) => string {
  const { label } = useTranslation();
  return (log) => {
    const { event, values, refused } = readDetail(log);
    if (event) return fillTemplate(label(logEvents[event]), withLocalTime(withShortAmounts(values)));
    return refused ? `${log.content} (×${refused})` : log.content;
  };
}

/** Label of a failure reason; unknown reasons from later versions are shown unchanged. */
export function useReasonLabel(): (reason: string) => string {
  const { label } = useTranslation();
  return (reason) => (Object.hasOwn(logReasons, reason) ? label(logReasons[reason as LogReason].label) : reason);
}
