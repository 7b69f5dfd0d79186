import { NavLink, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { useUser } from '../lib/account/session.ts';
import { useStatus } from '../lib/page/status.ts';
import styles from './menu.module.css';
import { highlightedPath, isPageActive, type MenuSection, menuSections } from './menu-sections.ts';
import { menuGroupLabels, menuGroups } from './page.ts';

interface MenuProps {
  readonly onChoose?: (() => void) | undefined;
}

/** Menu entries of the pages that this visitor may open, in groups. */
export function Menu({ onChoose }: MenuProps) {
  const { t } = useTranslation();
  const sections = menuSections(useUser(), useStatus());
  const { pathname } = useLocation();
  const here = highlightedPath(pathname);
  return (
    <nav aria-label={t('Main menu')} className={styles['menu']}>
      {menuGroups.map((group) => {
        const entries = sections.filter(({ pages: [first] }) => first.menu.group === group);
        const heading = menuGroupLabels[group];
        if (entries.length === 0) return null;
        return (
          <div key={group} className={styles['group']}>
            {heading && (
              <Text className={styles['heading'] ?? ''} component="h2">
                {t(heading)}
              </Text>
            )}
            {entries.map((section) => (
              <Entry
                key={section.pages[0].path}
                section={section}
                isActive={section.pages.some((page) => isPageActive(here, page))}
                onChoose={onChoose}
              />
            ))}
          </div>
        );
      })}
    </nav>
  );
}

interface EntryProps extends MenuProps {
  readonly section: MenuSection;
  readonly isActive: boolean;
}

function Entry({ section, isActive, onChoose }: EntryProps) {
  const { t } = useTranslation();
  const link = useRef<HTMLAnchorElement>(null);
  const { label, pages } = section;
  const [{ path, menu }] = pages;
  // The menu scrolls in short windows.
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <NavLink
      ref={link}
      component={Link}
      to={path}
      // By default, the router also highlights entries whose path is a prefix of the current one.
      activeOptions={{ exact: true, includeSearch: false }}
      active={isActive}
      {...(isActive && { 'aria-current': 'page' as const })}
      {...(onChoose && { onClick: onChoose })}
      label={t(label)}
      leftSection={<menu.icon size={18} stroke={1.6} aria-hidden />}
      className={styles['entry'] ?? ''}
    />
  );
}
