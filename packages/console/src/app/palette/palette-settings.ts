import { isAdmin, type OptionSection, optionSections, options, optionTabs } from '@headgate/contract';
import { IconAdjustments } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { matchEntries } from './match-entries.ts';
import type { PaletteEntry } from './palette-entry.ts';

const most = 6;

/** Topics of the settings and single options that match; a result opens its topic. */
export function useSettingEntries(typed: string, open: (address: string) => () => void): readonly PaletteEntry[] {
  const { label } = useTranslation();
  const user = useUser();
  if (typed.trim() === '' || !isAdmin(user)) return [];
  const entryOf = (id: string, text: string, alias: string, section: OptionSection): PaletteEntry => {
    const { tab, label: topic } = optionSections[section];
    return {
      id: `setting-${id}`,
      group: 'Settings',
      label: text,
      alias,
      hint: `${label(optionTabs[tab])} · ${label(topic)}`,
      icon: IconAdjustments,
      run: open(`/setting?tab=${tab}&topic=${section}`),
    };
  };
  const topics = Object.entries(optionSections).map(([name, row]) =>
    entryOf(name, label(row.label), name, name as OptionSection),
  );
  const single = Object.entries(options).map(([key, row]) => entryOf(key, label(row.label), key, row.section));
  return matchEntries([...topics, ...single], typed).slice(0, most);
}
