import { Link, useLocation } from '@tanstack/react-router';
import { type TextKey, useTranslation } from '../i18n/translate.ts';
import { lastListSearch } from '../lib/list/list-state.ts';
import { query } from '../lib/page/address.ts';
import styles from './breadcrumb.module.css';

interface Parent {
  readonly label: TextKey;
  readonly to: string;
  /** Name of the list, which is opened with its last page and filters. */
  readonly list?: string;
}

const settings: Parent = { label: 'Settings', to: '/setting' };

/** Lists of the pages below them, by the first part of the path. */
const parents: Readonly<Record<string, Parent>> = {
  channel: { label: 'Channels', to: '/channel', list: 'channel' },
  token: { label: 'Tokens', to: '/token', list: 'token' },
  user: { label: 'Users', to: '/user', list: 'user' },
  limit: { label: 'Limits', to: '/limit', list: 'limit' },
  redemption: { label: 'Redemption codes', to: '/redemption', list: 'redemption' },
  statement: { label: 'Usage', to: '/usage' },
};

const parentOf = (pathname: string): Parent | undefined =>
  pathname === '/user/edit' ? settings : parents[pathname.split('/')[1] ?? ''];

/** Way back from a detail page to its list; nothing on pages without a list. */
export function Breadcrumb({ current }: { readonly current: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const parent = parentOf(pathname);
  if (!parent) return null;
  return (
    <nav aria-label={t('Breadcrumb')} className={styles['trail']}>
      <Link
        to={parent.to}
        search={query(parent.list ? lastListSearch(parent.list) : {})}
        // By default, the router also marks links whose path is a prefix of the current one.
        activeOptions={{ exact: true }}
        className={styles['link'] ?? ''}
      >
        {t(parent.label)}
      </Link>
      <span aria-hidden>/</span>
      <span aria-current="page" className={styles['current']}>
        {current}
      </span>
    </nav>
  );
}
