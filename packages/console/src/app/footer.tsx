import { productName } from '@headgate/contract';
import { useTranslation } from '../i18n/translate.ts';
import { useIsUnreachable } from '../lib/api/reachable.ts';
import { useKnownStatus } from '../lib/page/status.ts';
import { OwnerHtml } from '../ui/owner-content.tsx';
import styles from './frame.module.css';

/** The owner's footer, or the product name and version. Nothing is shown before the status has loaded. */
export function Footer() {
  const { t } = useTranslation();
  const status = useKnownStatus();
  const isLost = useIsUnreachable();
  const version = [productName, status?.version].filter(Boolean).join(' ');
  return (
    <footer className={styles['footer']}>
      {status?.footer_html ? <OwnerHtml text={status.footer_html} /> : version}
      {isLost && ` · ${t('not reachable')}`}
    </footer>
  );
}
