import { type Log, logType, logTypes } from '@headgate/contract';

/** Color of a log's status: a request that ended early is never green. */
export function logColor({ type, ended_by, reason }: Pick<Log, 'type' | 'ended_by' | 'reason'>): string {
  const isCutShort = type === logType.consumption && (ended_by !== '' || reason !== '');
  return isCutShort ? 'orange' : (logTypes[type]?.color ?? 'gray');
}
