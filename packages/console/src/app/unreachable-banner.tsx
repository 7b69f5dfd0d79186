import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { isGatewayReachable } from '../lib/api/call.ts';
import { onSuspectedOutage, setUnreachable, useIsUnreachable } from '../lib/api/reachable.ts';
import styles from './unreachable-banner.module.css';

const retryMs = 2000;

/** Shows a banner while the gateway is unreachable, polls it, and refetches failed queries once it responds. */
export function UnreachableBanner() {
  const { t } = useTranslation();
  const isLost = useIsUnreachable();
  useReachabilityPoll(isLost);
  useRefetchOnReturn(isLost);
  return (
    <div role="status" className={styles['place']}>
      {isLost && <p className={styles['words']}>{t('The gateway is not reachable. Retrying…')}</p>}
    </div>
  );
}

function useReachabilityPoll(isLost: boolean): void {
  useEffect(() => {
    const look = async () => setUnreachable(!(await isGatewayReachable()));
    if (!isLost) return onSuspectedOutage(() => void look());
    const timer = setInterval(() => void look(), retryMs);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [isLost]);
}

/** Refetches queries that failed while the gateway was unreachable. */
function useRefetchOnReturn(isLost: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isLost) return;
    return () => {
      void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    };
  }, [isLost, queries]);
}
