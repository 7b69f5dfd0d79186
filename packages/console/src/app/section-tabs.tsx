import { Link, useLocation } from '@tanstack/react-router';
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
  if (!section || section.pages.length === 1) return null;
  return (
    <nav aria-label={t(section.label)} className={styles['tabs']}>
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
