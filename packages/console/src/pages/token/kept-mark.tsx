import type { Token } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { keepingOf, ownKeepingQuery } from '../../lib/body-keeping.ts';
import { useStatus } from '../../lib/status.ts';
import styles from './kept-mark.module.css';

/** Says beside its name that what a token asks and is answered is kept. */
export function KeptMark({ token: { id } }: { readonly token: Pick<Token, 'id'> }) {
  const { t } = useWords();
  const { extensions } = useStatus();
  const { data } = useQuery({ ...ownKeepingQuery, enabled: extensions });
  const keeping = keepingOf(data?.keepings ?? [], id) ?? keepingOf(data?.keepings ?? []);
  if (!keeping || !data?.is_on) return null;
  return (
    <span className={styles['mark']} title={t('Requests and answers are kept for {hours} h', { hours: keeping.hours })}>
      {t('Bodies kept')}
    </span>
  );
}
