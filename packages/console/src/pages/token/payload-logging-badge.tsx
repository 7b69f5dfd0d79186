import type { Token } from '@headgate/contract';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { ownPayloadLoggingQuery, payloadLoggingOf } from '../../lib/page/payload-logging.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './payload-mark.module.css';

interface PayloadMarkProps {
  readonly token: Pick<Token, 'id'>;
  /** Icon only, for narrow columns. */
  readonly isShort?: boolean;
}

/** Mark next to the token name: its payloads are stored. */
export function PayloadLoggingBadge({ token: { id }, isShort = false }: PayloadMarkProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { data } = useQuery({ ...ownPayloadLoggingQuery, enabled: extensions });
  const keeping = payloadLoggingOf(data?.keepings ?? [], id) ?? payloadLoggingOf(data?.keepings ?? []);
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
