import type { Token } from '@headgate/contract';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { keepingOf, ownKeepingQuery } from '../../lib/page/body-keeping.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './kept-mark.module.css';

interface KeptMarkProps {
  readonly token: Pick<Token, 'id'>;
  /** Icon only, for narrow columns. */
  readonly isShort?: boolean;
}

/** Mark next to the token name: its payloads are stored. */
export function KeptMark({ token: { id }, isShort = false }: KeptMarkProps) {
  const { t } = useWords();
  const { extensions } = useStatus();
  const { data } = useQuery({ ...ownKeepingQuery, enabled: extensions });
  const keeping = keepingOf(data?.keepings ?? [], id) ?? keepingOf(data?.keepings ?? []);
  if (!keeping || !data?.is_on) return null;
  const title = t('Payloads are stored for {hours} h', { hours: keeping.hours });
  return isShort ? (
    <span className={styles['icon']} role="img" aria-label={t('Payloads logged')} title={title}>
      <IconMessages size={16} stroke={1.6} aria-hidden />
    </span>
  ) : (
    <span className={styles['mark']} title={title}>
      {t('Payloads logged')}
    </span>
  );
}
