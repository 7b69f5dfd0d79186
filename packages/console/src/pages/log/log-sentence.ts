import { fillSentence, type Log, logEvents } from '@headgate/contract';
import { useWords } from '../../i18n/translate.ts';
import { readDetail, withLocalTime } from './log-detail.ts';

/** What a row says, in the reader's language where it knows the event behind its words. */
export function useLogSentence(): (log: Log) => string {
  const { label } = useWords();
  return (log) => {
    const { event, values } = readDetail(log);
    return event ? fillSentence(label(logEvents[event]), withLocalTime(values)) : log.content;
  };
}
