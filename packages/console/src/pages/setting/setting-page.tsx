import { isAdmin, type OptionTab, optionTabs } from '@headgate/contract';
import { Button, Group, Paper, Tabs, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { query } from '../../lib/page/address.ts';
import { topicsOf } from '../../lib/page/setting-topics.ts';
import { SectionIndex } from '../../ui/section-index.tsx';
import { type OptionEdit, useOptionEdit } from './options/option-edit.ts';
import { OptionTabPanel } from './options/option-tab-panel.tsx';
import { SettingSearch } from './options/setting-search.tsx';
import { PersonalSettings } from './personal/personal-settings.tsx';
import styles from './setting.module.css';

const tabNames = Object.keys(optionTabs) as OptionTab[];

/** A tab opens its first topic. */
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
        <Tabs.List mb="lg" className={styles['tabs'] ?? ''}>
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

/** Sticky bar with the number and sections of unsaved changes, and buttons to save or discard them. */
function OptionSaveBar({ edit }: { readonly edit: OptionEdit }) {
  const { t } = useTranslation();
  const count = edit.changed.length;
  if (count === 0) return null;
  return (
    <Paper
      withBorder
      shadow="md"
      className={styles['bar'] ?? ''}
      component="section"
      aria-label={t('Unsaved changes')}
      role="region"
    >
      <Group justify="space-between" gap="sm">
        <div className={styles['what']} role="status">
          <Text fw={600}>{t('{count} unsaved changes', { count })}</Text>
          <Text size="xs" c="dimmed" truncate>
            {edit.sections.join(' · ')}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Button variant="default" disabled={edit.isSaving} onClick={edit.discard}>
            {t('Discard')}
          </Button>
          <Button loading={edit.isSaving} onClick={edit.save}>
            {t('Save changes')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
