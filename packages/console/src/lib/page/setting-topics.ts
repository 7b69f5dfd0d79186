import {
  type OptionKey,
  type OptionSection,
  type OptionTab,
  optionKeys,
  optionRow,
  optionSections,
  optionTabs,
} from '@headgate/contract';
import { matchEntries } from '../list/match-entries.ts';

const settingTopics = Object.keys(optionSections) as OptionSection[];

export const topicsOf = (tab: OptionTab): readonly OptionSection[] =>
  settingTopics.filter((topic) => optionSections[topic].tab === tab);

/** A topic of the settings, or one option. */
export interface SettingMatch {
  readonly id: string;
  readonly label: string;
  /** Name in the API, which is also searched. */
  readonly alias: string;
  /** Tab and topic. */
  readonly hint: string;
  readonly tab: OptionTab;
  readonly topic: OptionSection;
  /** Undefined for a topic. */
  readonly option: OptionKey | undefined;
}

/** Topics and options that contain every typed word. */
export function findSettings(typed: string, label: (text: string) => string): readonly SettingMatch[] {
  if (typed.trim() === '') return [];
  const matchOf = (topic: OptionSection, text: string, option?: OptionKey): SettingMatch => {
    const { tab, label: name } = optionSections[topic];
    return {
      id: option ?? topic,
      label: label(text),
      alias: option ?? topic,
      hint: `${label(optionTabs[tab])} · ${label(name)}`,
      tab,
      topic,
      option,
    };
  };
  const topics = settingTopics.map((topic) => matchOf(topic, optionSections[topic].label));
  const single = optionKeys.map((key) => matchOf(optionRow(key).section, optionRow(key).label, key));
  return matchEntries([...topics, ...single], typed);
}

/** Query of the settings page that opens a topic, and scrolls to an option. */
export const settingQuery = ({ tab, topic, option }: Pick<SettingMatch, 'tab' | 'topic' | 'option'>) => ({
  tab,
  topic,
  ...(option && { option }),
});
