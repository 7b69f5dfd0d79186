import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { useUser } from '../lib/account/session.ts';
import { useStatus } from '../lib/page/status.ts';
import { menuSections } from './menu-sections.ts';
import styles from './section-tabs.module.css';

/** Links to the other pages of the section; not shown on forms. */
export function SectionTabs() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const sections = menuSections(useUser(), useStatus());
  const section = sections.find(({ pages }) => pages.some(({ path }) => path === pathname));
  const tabs = useRef<HTMLElement>(null);
  // On phones, the tabs are wider than the screen.
  useEffect(() => {
    tabs.current?.querySelector(`[href="${pathname}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  if (!section || section.pages.length === 1) return null;
  return (
    <nav ref={tabs} aria-label={t(section.label)} className={styles['tabs']}>
      {section.pages.map(({ path, menu }) => (
        <Link
          key={path}
          to={path}
          activeOptions={{ exact: true, includeSearch: false }}
          className={styles['tab'] ?? ''}
        >
          {t(menu.label)}
        </Link>
      ))}
    </nav>
  );
}
