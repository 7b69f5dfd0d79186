import { isAdmin } from '@headgate/contract';
import { NavLink, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from '../i18n/translate.ts';
import { useUser } from '../lib/account/session.ts';
import { useStatus } from '../lib/page/status.ts';
import styles from './menu.module.css';
import { menuGroupLabels, menuGroups, type Page } from './page.ts';
import { pages } from './pages.ts';

interface MenuProps {
  readonly onChoose?: (() => void) | undefined;
}

/** Menu entries of the pages that this visitor may open, in groups. */
export function Menu({ onChoose }: MenuProps) {
  const { t } = useTranslation();
  const user = useUser();
  const status = useStatus();
  const { pathname } = useLocation();
  const here = pages.find(({ path }) => path === pathname)?.menuPath ?? pathname;
  const shown = pages.filter(
    ({ menu, access }) => menu && (access !== 'admin' || isAdmin(user)) && (menu.when?.(status) ?? true),
  );
  return (
    <nav aria-label={t('Main menu')} className={styles['menu']}>
      {menuGroups.map((group) => {
        const entries = shown.filter(({ menu }) => menu?.group === group);
        const heading = menuGroupLabels[group];
        if (entries.length === 0) return null;
        return (
          <div key={group} className={styles['group']}>
            {heading && (
              <Text className={styles['heading'] ?? ''} component="h2">
                {t(heading)}
              </Text>
            )}
            {entries.map((page) => (
              <Entry key={page.path} page={page} isActive={isWithin(here, page.path)} onChoose={onChoose} />
            ))}
          </div>
        );
      })}
    </nav>
  );
}

interface EntryProps extends MenuProps {
  readonly page: Page;
  readonly isActive: boolean;
}

function Entry({ page: { menu, path }, isActive, onChoose }: EntryProps) {
  const { t } = useTranslation();
  if (!menu) return null;
  return (
    <NavLink
      component={Link}
      to={path}
      // By default, the router also highlights entries whose path is a prefix of the current one.
      activeOptions={{ exact: true, includeSearch: false }}
      active={isActive}
      {...(isActive && { 'aria-current': 'page' as const })}
      {...(onChoose && { onClick: onChoose })}
      label={t(menu.label)}
      leftSection={<menu.icon size={18} stroke={1.6} aria-hidden />}
      className={styles['entry'] ?? ''}
    />
  );
}

const isWithin = (pathname: string, path: string) =>
  pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
