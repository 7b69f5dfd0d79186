import { emailLength, isRoot, mailApi, type OptionSection, type OptionTab } from '@headgate/contract';
import { Button, Divider, Group, Modal, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { selfQuery } from '../../../lib/account/self-query.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call, type Release, readLatestRelease } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { topicsOf } from '../../../lib/page/setting-topics.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { CustomText } from '../../../ui/custom-content.tsx';
import { GatewayInfo } from '../../../ui/gateway-info.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import styles from '../setting.module.css';
import { LogCleanup } from './log-cleanup.tsx';
import type { OptionEdit } from './option-edit.ts';
import { optionsQuery } from './option-queries.ts';
import { OptionSectionForm, optionId } from './option-section-form.tsx';
import { PaymentCallbacks } from './payment-callbacks.tsx';
import { TopicNav } from './topic-nav.tsx';

const withoutV = (version: string) => version.replace(/^v/i, '');

/** Shows the latest version from the release service. */
function UpdateCheck() {
  const { t } = useTranslation();
  const { version } = useStatus();
  const [release, setRelease] = useState<Release>();
  const check = useMutation({
    mutationFn: readLatestRelease,
    onSuccess: (latest) => {
      const isNew = latest.tag_name !== '' && withoutV(latest.tag_name) !== withoutV(version);
      if (isNew) setRelease(latest);
      else showMessage('success', t('Already latest version'));
    },
  });
  return (
    <>
      <Divider my="lg" />
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        {t('Check for updates')}
      </Button>
      <Modal
        opened={release !== undefined}
        onClose={() => setRelease(undefined)}
        title={t('New version: {version}', { version: release?.tag_name ?? '' })}
        size="lg"
      >
        {release && <CustomText text={release.body} />}
      </Modal>
    </>
  );
}

/** Additional content of sections. */
const extras: Readonly<Partial<Record<OptionSection, ComponentType>>> = {
  smtp: MailTest,
  log: LogCleanup,
  payment: PaymentCallbacks,
  personal: UpdateCheck,
};

/** Sections whose additional content calls endpoints that other servers may not have. */
const needExtensions: ReadonlySet<OptionSection> = new Set(['smtp', 'payment']);

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
    <div className={styles['layout']} data-topics={chosen ? 'one' : 'all'}>
      <TopicNav tab={tab} topic={chosen} />
      <div className={styles['sections']}>
        {tab === 'system' && (chosen ?? 'general') === 'general' && isRoot(user) && <GatewayInfo />}
        {(chosen ? [chosen] : all).map((section) => {
          const Extra = !extensions && needExtensions.has(section) ? undefined : extras[section];
          return (
            <OptionSectionForm key={section} section={section} stored={data} edit={edit}>
              {Extra && <Extra />}
            </OptionSectionForm>
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls to the option selected in the search, and focuses its control. */
function useFoundOption(option: string | undefined, isLoaded: boolean): void {
  useEffect(() => {
    if (option === undefined || !isLoaded) return;
    const element = document.getElementById(optionId(option));
    element?.scrollIntoView({ block: 'center' });
    element?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
  }, [option, isLoaded]);
}

/** Sends an email with the stored settings, and shows the mail server's error. */
function MailTest() {
  const { t } = useTranslation();
  const { data: user } = useQuery(selfQuery);
  const [typed, setTyped] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const to = (typed ?? user?.email ?? '').trim();
  const send = useMutation({
    mutationFn: () => call(mailApi.test, { body: { to } }),
    onSuccess: () => showMessage('success', t('Test email sent to {address}', { address: to })),
  });
  const submit = () => {
    setMissing(to === '');
    if (to !== '') send.mutate();
  };
  return (
    <>
      <Divider my="lg" />
      <Group align="flex-end" gap="sm">
        <TextInput
          flex={1}
          miw={220}
          type="email"
          label={t('Test email recipient')}
          description={t('Uses the saved settings.')}
          maxLength={emailLength.max}
          value={typed ?? user?.email ?? ''}
          error={isMissing && t('Please enter an email address')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button variant="default" loading={send.isPending} onClick={submit}>
          {t('Send test email')}
        </Button>
      </Group>
    </>
  );
}
