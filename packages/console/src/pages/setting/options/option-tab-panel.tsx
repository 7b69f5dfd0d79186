import { isRoot, type OptionSection, type OptionTab, optionSections } from '@headgate/contract';
import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { query } from '../../../lib/page/address.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { GatewayFacts } from '../../../ui/gateway-facts.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { LogCleanup } from './log-cleanup.tsx';
import { MailTest } from './mail-test.tsx';
import type { OptionEdit } from './option-edit.ts';
import { optionsQuery } from './option-queries.ts';
import { OptionSectionForm } from './option-section-form.tsx';
import { UpdateCheck } from './update-check.tsx';

/** Additional content of sections. */
const extras: Readonly<Partial<Record<OptionSection, ComponentType>>> = {
  smtp: MailTest,
  log: LogCleanup,
  personal: UpdateCheck,
};

interface OptionTabPanelProps {
  readonly tab: OptionTab;
  readonly edit: OptionEdit;
}

export function OptionTabPanel({ tab, edit }: OptionTabPanelProps) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const user = useUser();
  const { topic } = useSearch({ strict: false }) as { topic?: string };
  const { data, error, refetch } = useQuery(optionsQuery);
  const all = (Object.keys(optionSections) as OptionSection[]).filter((name) => optionSections[name].tab === tab);
  const sections = all.some((name) => name === topic) ? all.filter((name) => name === topic) : all;
  if (error && !data) {
    return <LoadFailed title={t('The settings could not be loaded')} error={error} onRetry={refetch} maw={640} />;
  }
  if (!data) return <Skeleton height={320} maw={640} radius="md" />;
  return (
    <Stack gap="lg" maw={640}>
      {sections.length < all.length && (
        <Anchor component={Link} to="/setting" search={query({ tab })} size="sm">
          {t('Show all settings of this tab')}
        </Anchor>
      )}
      {tab === 'system' && sections === all && isRoot(user) && <GatewayFacts />}
      {sections.map((section) => {
        const Extra = section === 'smtp' && !extensions ? undefined : extras[section];
        return (
          <OptionSectionForm key={section} section={section} stored={data} edit={edit}>
            {Extra && <Extra />}
          </OptionSectionForm>
        );
      })}
    </Stack>
  );
}
