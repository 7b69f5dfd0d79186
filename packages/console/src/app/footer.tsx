import { productName } from '@headgate/contract';
import { useStatus } from '../lib/status.ts';
import { OwnerHtml } from '../ui/owner-content.tsx';
import styles from './frame.module.css';

/** The owner's footer, or the product's name and version. */
export function Footer() {
  const { footer_html, version } = useStatus();
  return (
    <footer className={styles['footer']}>
      {footer_html ? <OwnerHtml text={footer_html} /> : `${productName} ${version}`}
    </footer>
  );
}
