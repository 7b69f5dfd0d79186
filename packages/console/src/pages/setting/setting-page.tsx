import { isAdmin, type OptionTab, optionTabs } from '@headgate/contract';
import { Tabs, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { query } from '../../lib/page/address.ts';
import { SectionIndex } from '../../ui/section-index.tsx';
import { useOptionEdit } from './options/option-edit.ts';
import { OptionSaveBar } from './options/option-save-bar.tsx';
import { OptionTabPanel } from './options/option-tab-panel.tsx';
import { PersonalSettings } from './personal/personal-settings.tsx';
import styles from './setting.module.css';

const tabNames = Object.keys(optionTabs) as OptionTab[];

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
      <Title order={1} mb="md">
        {t('Settings')}
      </Title>
      <Tabs
        value={shown ?? 'personal'}
        keepMounted={false}
        onChange={(name) =>
          void navigate({
            to: '/setting',
            search: query({ tab: name === 'personal' || name === null ? undefined : name }),
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
        <div className={styles['layout']}>
          <div ref={sections}>
            <Tabs.Panel value="personal">
              <PersonalSettings />
            </Tabs.Panel>
            {mayManage &&
              tabNames.map((name) => (
                <Tabs.Panel key={name} value={name}>
                  <OptionTabPanel tab={name} edit={edit} />
                </Tabs.Panel>
              ))}
          </div>
          <SectionIndex of={sections} />
        </div>
      </Tabs>
      <OptionSaveBar edit={edit} />
    </>
  );
}
