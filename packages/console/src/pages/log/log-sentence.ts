import { fillSentence, type Log, logEvents } from '@headgate/contract';
import { useWords } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format.ts';
import { readDetail } from './log-detail.ts';

/** What a row says, in the reader's language where it knows the event behind its words. */
export function useLogSentence(): (log: Log) => string {
  const { label } = useWords();
  return (log) => {
    const { event, values } = readDetail(log);
    return event ? fillSentence(label(logEvents[event]), withLocalTime(values)) : log.content;
  };
}

type Values = ReturnType<typeof readDetail>['values'];

/** A time inside a sentence is the reader's, like every other: given in seconds, by older rows as ISO text. */
export function withLocalTime(values: Values): Values {
  const { time, seconds } = values;
  const known = typeof seconds === 'number' ? seconds : Date.parse(String(time)) / 1000;
  return time === undefined || Number.isNaN(new Date(known * 1000).getTime())
    ? values
    : { ...values, time: formatTime(known) };
}
