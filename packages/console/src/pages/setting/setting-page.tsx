import { isAdmin, type OptionTab, optionTabs } from '@headgate/contract';
import { Group, Tabs, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { query } from '../../lib/page/address.ts';
import { topicsOf } from '../../lib/page/setting-topics.ts';
import { SectionIndex } from '../../ui/section-index.tsx';
import { useOptionEdit } from './options/option-edit.ts';
import { OptionSaveBar } from './options/option-save-bar.tsx';
import { OptionTabPanel } from './options/option-tab-panel.tsx';
import { SettingSearch } from './options/setting-search.tsx';
import { PersonalSettings } from './personal/personal-settings.tsx';
import styles from './setting.module.css';

const tabNames = Object.keys(optionTabs) as OptionTab[];

/** A tab opens with its first topic. */
function firstTopic(name: string | null) {
  const tab = tabNames.find((each) => each === name);
  return tab ? { tab, topic: topicsOf(tab)[0] } : {};
}

export function SettingPage() {
  const { t, label } = useTranslation();
  const mayManage = isAdmin(useUser());
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const edit = useOptionEdit();
  const sections = useRef<HTMLDivElement>(null);
  const shown = mayManage && tabNames.some((name) => name === tab) ? tab : 'personal';
  return (
    <>
      <Group justify="space-between" mb="md">
        <Title order={1}>{t('Settings')}</Title>
        {mayManage && <SettingSearch />}
      </Group>
      <Tabs
        value={shown ?? 'personal'}
        keepMounted={false}
        onChange={(name) =>
          void navigate({
            to: '/setting',
            search: query(firstTopic(name)),
          })
        }
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="personal">{t('Personal settings')}</Tabs.Tab>
          {mayManage &&
            tabNames.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {label(optionTabs[name])}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        <Tabs.Panel value="personal">
          <div className={styles['layout']}>
            <div ref={sections}>
              <PersonalSettings />
            </div>
            <SectionIndex of={sections} />
          </div>
        </Tabs.Panel>
        {mayManage &&
          tabNames.map((name) => (
            <Tabs.Panel key={name} value={name}>
              <OptionTabPanel tab={name} edit={edit} />
            </Tabs.Panel>
          ))}
      </Tabs>
      <OptionSaveBar edit={edit} />
    </>
  );
}
