import { isAdmin } from '@headgate/contract';
import { IconAdjustments } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { findSettings, settingQuery } from '../../lib/page/setting-topics.ts';
import type { PaletteEntry } from './palette-entry.ts';

const most = 6;

/** Topics of the settings and single options that match; a result opens its topic. */
export function useSettingEntries(typed: string, open: (address: string) => () => void): readonly PaletteEntry[] {
  const { label } = useTranslation();
  const user = useUser();
  if (!isAdmin(user)) return [];
  return findSettings(typed, label)
    .slice(0, most)
    .map((match) => ({
      id: `setting-${match.id}`,
      group: 'Settings',
      label: match.label,
      alias: match.alias,
      hint: match.hint,
      icon: IconAdjustments,
      run: open(`/setting?${new URLSearchParams(settingQuery(match))}`),
    }));
}
