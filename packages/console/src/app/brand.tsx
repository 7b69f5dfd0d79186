import { defaultLogo } from '@headgate/contract';
import { Link } from '@tanstack/react-router';
import { useStatus } from '../lib/page/status.ts';
import styles from './brand.module.css';

export function Brand() {
  const { system_name, logo } = useStatus();
  return (
    <Link to="/" className={styles['brand']}>
      <img src={logo || defaultLogo} alt="" width={28} height={28} className={styles['logo']} />
      <span className={styles['name']} title={system_name}>
        {system_name}
      </span>
    </Link>
  );
}
