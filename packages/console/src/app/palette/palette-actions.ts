import { IconKeyboard, IconLanguage, IconMoon, IconPlus, IconSun } from '@tabler/icons-react';
import { switchLanguage, useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useColorScheme } from '../../lib/page/color-scheme.ts';
import { useStatus } from '../../lib/page/status.ts';
import { canOpen } from '../page.ts';
import { pages } from '../pages.ts';
import type { PaletteEntry } from './palette-entry.ts';

interface EntryHandlers {
  readonly open: (address: string) => () => void;
  readonly showShortcuts: () => void;
}

/** Pages that the user may open, and common actions. */
export function useStaticEntries({ open, showShortcuts }: EntryHandlers): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const user = useUser();
  const status = useStatus();
  const places = pages.flatMap((page): PaletteEntry[] => {
    const { path, menu } = page;
    if (!menu || !canOpen(page.access, user) || menu.when?.(status, user) === false) return [];
    return [{ id: path, group: 'Pages', label: t(menu.label), icon: menu.icon, run: open(path) }];
  });
  const adding = pages.flatMap((page): PaletteEntry[] =>
    page.path.endsWith('/add') && page.title && canOpen(page.access, user)
      ? [{ id: page.path, group: 'Actions', label: t(page.title), icon: IconPlus, run: open(page.path) }]
      : [],
  );
  return [...places, ...adding, ...useOwnActions(showShortcuts)];
}

function useOwnActions(showShortcuts: () => void): readonly PaletteEntry[] {
  const { t, language } = useTranslation();
  const { isDark, toggle } = useColorScheme();
  const other = language === 'zh' ? 'en' : 'zh';
  return [
    {
      id: 'scheme',
      group: 'Actions',
      label: isDark ? t('Switch to light mode') : t('Switch to dark mode'),
      icon: isDark ? IconSun : IconMoon,
      run: toggle,
    },
    {
      id: 'language',
      group: 'Actions',
      label: other === 'en' ? 'English' : '中文',
      icon: IconLanguage,
      run: () => void switchLanguage(other),
    },
    { id: 'shortcuts', group: 'Actions', label: t('Keyboard shortcuts'), icon: IconKeyboard, run: showShortcuts },
  ];
}
