import { isRoot, type OptionSection, type OptionTab } from '@headgate/contract';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { topicsOf } from '../../../lib/page/setting-topics.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { GatewayFacts } from '../../../ui/gateway-facts.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import styles from '../setting.module.css';
import { LogCleanup } from './log-cleanup.tsx';
import { MailTest } from './mail-test.tsx';
import type { OptionEdit } from './option-edit.ts';
import { optionsQuery } from './option-queries.ts';
import { OptionSectionForm, optionId } from './option-section-form.tsx';
import { PaymentCallbacks } from './payment-callbacks.tsx';
import { TopicNav } from './topic-nav.tsx';
import { UpdateCheck } from './update-check.tsx';

/** Additional content of sections. */
const extras: Readonly<Partial<Record<OptionSection, ComponentType>>> = {
  smtp: MailTest,
  log: LogCleanup,
  payment: PaymentCallbacks,
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
  const { topic, option } = useSearch({ strict: false }) as { topic?: string; option?: string };
  const { data, error, refetch } = useQuery(optionsQuery);
  useFoundOption(option, data !== undefined);
  const all = topicsOf(tab);
  const chosen = all.find((name) => name === topic);
  if (error && !data) {
    return <LoadFailed title={t('The settings could not be loaded')} error={error} onRetry={refetch} maw={640} />;
  }
  if (!data) return <Skeleton height={320} maw={640} radius="md" />;
  return (
    <div className={styles['layout']} data-topics>
      <TopicNav tab={tab} topic={chosen} />
      <Stack gap="lg" maw={640}>
        {tab === 'system' && (chosen ?? 'general') === 'general' && isRoot(user) && <GatewayFacts />}
        {(chosen ? [chosen] : all).map((section) => {
          const Extra = section === 'smtp' && !extensions ? undefined : extras[section];
          return (
            <OptionSectionForm key={section} section={section} stored={data} edit={edit}>
              {Extra && <Extra />}
            </OptionSectionForm>
          );
        })}
      </Stack>
    </div>
  );
}

/** Scrolls to the option of a search result, and focuses its control. */
function useFoundOption(option: string | undefined, isLoaded: boolean): void {
  useEffect(() => {
    if (option === undefined || !isLoaded) return;
    const place = document.getElementById(optionId(option));
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
  }, [option, isLoaded]);
}
