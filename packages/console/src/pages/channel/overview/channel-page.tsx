import { type Channel, channelStatus, splitCommas } from '@headgate/contract';
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconActivity, IconListDetails, IconPencil, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { query } from '../../../lib/page/address.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { Breadcrumb } from '../../../ui/breadcrumb.tsx';
import { FormLoading } from '../../../ui/form/form-page.tsx';
import { GroupLabels } from '../../../ui/group-labels.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { ManagedBadge } from '../../../ui/managed/managed-row.tsx';
import { PageActions } from '../../../ui/page-actions.tsx';
import { ChannelTag } from '../channel-cells.tsx';
import { useRunningTests, useTest, useToggleChannelStatus } from '../channel-changes.ts';
import { defaultTestModel } from '../channel-facts.ts';
import { describeFailure, lastFailure } from '../channel-health.ts';
import { channelQuery } from '../channel-queries.ts';
import { ChannelStatus } from '../channel-status.tsx';
import { ChannelTypeLabel } from '../channel-type-label.tsx';
import { ChannelCircuitBreakers } from '../circuit-breakers/channel-circuit-breakers.tsx';
import { ChannelKeys } from '../keys/channel-keys.tsx';
import { ChannelFailures } from './channel-failures.tsx';
import { ChannelModels } from './channel-models.tsx';
import { ChannelStats } from './channel-stats.tsx';
import { IncidentLink } from './incident-link.tsx';
import styles from './overview.module.css';
import { overviewQuery } from './overview-queries.ts';

/** Overview of one channel: the last 24 hours, keys, models and failures, with actions. */
export function ChannelPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data: channel, error, refetch } = useQuery(channelQuery(Number(id)));
  if (!channel) return <FormLoading title={t('Channel')} error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <Head channel={channel} />
      <LastFailure channel={channel} />
      <LastDay channel={channel} />
    </Stack>
  );
}

function LastDay({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(overviewQuery(channel.id));
  const isManaged = useManaged('channel')(channel.id);
  return (
    <>
      {error && !data && <LoadFailed title={t('The metrics could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={170} />}
      {data && <ChannelStats overview={data} channel={channel} />}
      <ChannelCircuitBreakers id={channel.id} />
      <div className={styles['columns']}>
        <Stack gap="md">
          {data && <ChannelModels overview={data} channel={channel} />}
          {data && <ChannelFailures overview={data} channel={channel} />}
        </Stack>
        <ChannelKeys id={channel.id} isManaged={isManaged} />
      </div>
    </>
  );
}

function Head({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const isManaged = useManaged('channel')(channel.id);
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Breadcrumb current={channel.name || `#${channel.id}`} />
        <Group gap="sm">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {channel.name || `#${channel.id}`}
          </Title>
          {isManaged && <ManagedBadge isLong />}
        </Group>
        <Group gap="md" mt={4} className={styles['facts'] ?? ''}>
          <ChannelStatus channel={channel} />
          <ChannelTypeLabel id={channel.type} />
          <GroupLabels groups={splitCommas(channel.group).sort().join(',')} />
          <Text span c="dimmed" inherit>
            #{channel.id}
          </Text>
          {channel.tag && (
            <Text span c="dimmed" inherit>
              {t('Tag')} <ChannelTag channel={channel} />
            </Text>
          )}
        </Group>
      </div>
      <Actions channel={channel} isManaged={isManaged} />
    </Group>
  );
}

function Actions({ channel, isManaged }: { readonly channel: Channel; readonly isManaged: boolean }) {
  const { t } = useTranslation();
  const test = useTest();
  const toggle = useToggleChannelStatus();
  const isTesting = useRunningTests().includes(channel.id);
  const isOn = channel.status === channelStatus.enabled;
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
  return (
    <PageActions>
      <Button
        variant="default"
        leftSection={<IconActivity {...icon} />}
        loading={isTesting}
        onClick={() => test.mutate({ channel, model: defaultTestModel(channel.models) })}
      >
        {t('Test')}
      </Button>
      <Button
        variant="default"
        disabled={isManaged}
        loading={toggle.isPending}
        leftSection={isOn ? <IconPlayerStop {...icon} /> : <IconPlayerPlay {...icon} />}
        onClick={() => toggle.mutate(channel)}
      >
        {isOn ? t('Disable') : t('Enable')}
      </Button>
      <Button
        component={Link}
        to="/log"
        search={query({ channel: channel.id })}
        variant="default"
        leftSection={<IconListDetails {...icon} />}
      >
        {t('Logs')}
      </Button>
      <Button component={Link} to={`/channel/edit/${channel.id}`} leftSection={<IconPencil {...icon} />}>
        {t('Edit')}
      </Button>
    </PageActions>
  );
}

/** Next steps after a failure: pause the channel, route around it, inform users. */
function FailureActions({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const isManaged = useManaged('channel')(channel.id);
  const toggle = useToggleChannelStatus();
  const failure = lastFailure(channel);
  return (
    <Group gap="xs" mt="xs">
      {channel.status === channelStatus.enabled && (
        <Button
          size="xs"
          variant="default"
          disabled={isManaged}
          loading={toggle.isPending}
          onClick={() => toggle.mutate(channel)}
        >
          {t('Disable channel')}
        </Button>
      )}
      <Button component={Link} to="/routing" size="xs" variant="default">
        {t('Routing rules')}
      </Button>
      <IncidentLink models={failure?.model ? [failure.model] : splitCommas(channel.models)} />
    </Group>
  );
}

/** The last failure in full, or the reason why the channel was disabled. */
function LastFailure({ channel }: { readonly channel: Channel }) {
  const { t, label } = useTranslation();
  const failure = lastFailure(channel);
  const isDisabled = channel.status === channelStatus.disabledByMonitor;
  if (!failure) {
    if (!isDisabled || !channel.status_reason) return null;
    return (
      <Alert color="red" title={t('Automatically disabled')} className={styles['failure'] ?? ''}>
        {channel.status_reason}
        <FailureActions channel={channel} />
      </Alert>
    );
  }
  const { isTest, model, count, time } = failure;
  const facts = [
    count > 1 && t('Failed ×{count}', { count }),
    model && t(isTest ? 'Test of {model}' : 'Request for {model}', { model }),
    formatTime(time),
  ];
  return (
    <Alert
      color="red"
      title={isDisabled ? t('Automatically disabled') : t('Last failure')}
      className={styles['failure'] ?? ''}
    >
      <div>{describeFailure(failure, label)}</div>
      {isDisabled && channel.status_reason && <div>{channel.status_reason}</div>}
      <Text size="sm" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      <FailureActions channel={channel} />
    </Alert>
  );
}
