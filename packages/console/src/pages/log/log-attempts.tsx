import { Divider, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useSubjectNames } from '../../ui/subject/use-subjects.ts';
import styles from './log.module.css';
import { type Attempt, formatElapsed } from './log-detail.ts';

interface AttemptsProps {
  readonly attempts: readonly Attempt[];
  readonly isAdmin: boolean;
}

/** Failed attempts before the request succeeded or failed. */
export function Attempts({ attempts, isAdmin }: AttemptsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Divider label={t('Attempts')} labelPosition="left" />
      <ol className={styles['attempts']}>
        {attempts.map((attempt, index) => (
          <li key={String(index)}>
            {outcomeOf(attempt, isAdmin && attempt.channel !== undefined && t('Channel {id}', { id: attempt.channel }))}
            <Circumstances attempt={attempt} isAdmin={isAdmin} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Result of an attempt. */
const outcomeOf = ({ status, reason }: Attempt, where: string | false): string =>
  [where, status !== undefined && status > 0 && String(status), reason].filter(Boolean).join(' · ');

const none: readonly number[] = [];
const time = (ms: number): string => formatElapsed(Math.round(ms));

/** Channel, key, model, start and duration of an attempt. */
function Circumstances({ attempt, isAdmin }: { readonly attempt: Attempt; readonly isAdmin: boolean }) {
  const { t } = useTranslation();
  const { channel, key, model, start, ms } = attempt;
  const [named] = useSubjectNames('channel', isAdmin && channel ? [channel] : none);
  const parts = [
    named?.label,
    isAdmin && key !== undefined && t('key {id}', { id: key }),
    model,
    start !== undefined && start > 0 && t('started after {time}', { time: time(start) }),
    ms !== undefined && t('took {time}', { time: time(ms) }),
  ].filter(Boolean);
  return parts.length === 0 ? null : (
    <Text component="div" size="xs" c="dimmed">
      {parts.join(' · ')}
    </Text>
  );
}
