import { type GatewayNode, nodeApi } from '@headgate/contract';
import { Badge, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './node.module.css';
import { settingsOf } from './node-settings.ts';

const pollMs = 5000;

const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: ({ signal }) => call(nodeApi.list, {}, { signal }),
  refetchInterval: pollMs,
  staleTime: 0,
});

/** Nodes of this gateway: identity, health and environment. */
export function NodePage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(nodesQuery);
  return (
    <Stack gap="sm">
      <Title order={1}>{t('Nodes')}</Title>
      <Text size="sm" c="dimmed">
        {t('Processes of this gateway. Several nodes can share one PostgreSQL database.')}
      </Text>
      {error && !data && <LoadFailed title={t('The nodes could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={160} />}
      {data && <Nodes nodes={data} />}
      {data && data.length > 0 && <Settings nodes={data} />}
    </Stack>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly GatewayNode[] }) {
  const { t } = useTranslation();
  if (nodes.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center" py="lg">
          {t('No nodes have reported yet')}
        </Text>
      </Paper>
    );
  }
  return (
    <ul className={styles['nodes']}>
      {nodes.map((node) => (
        <NodeCard key={`${node.name} ${node.started_time}`} node={node} />
      ))}
    </ul>
  );
}

function NodeCard({ node }: { readonly node: GatewayNode }) {
  const { t } = useTranslation();
  const now = Math.floor(Date.now() / 1000);
  const figures = [
    [t('In-flight requests'), formatNumber(node.running)],
    [t('Oldest pending charge'), t('{n} ms', { n: formatNumber(node.lag_ms) })],
    [t('Quota leases'), formatNumber(node.leases)],
    [t('Last seen'), relativeTime(t, now - node.seen_seconds, now)],
  ] as const;
  return (
    <Paper withBorder component="li" className={styles['node'] ?? ''}>
      <div className={styles['head']}>
        <span className={styles['name']}>{node.name}</span>
        {node.is_this && (
          <Badge variant="light" size="sm">
            {t('this node')}
          </Badge>
        )}
        <Dot color={node.is_silent ? 'red' : 'green'} text={node.is_silent ? t('Not responding') : t('Online')} />
      </div>
      <Text size="sm" c="dimmed">
        {t('Version {version}, running since', { version: node.version })} <Time seconds={node.started_time} />
      </Text>
      {node.unconfirmed_time > 0 && (
        <Text size="sm" className={styles['late'] ?? ''}>
          {t('Unconfirmed change since')} <Time seconds={node.unconfirmed_time} />
        </Text>
      )}
      <dl className={styles['figures']}>
        {figures.map(([message, value]) => (
          <div key={message}>
            <dt>{message}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}

function Settings({ nodes }: { readonly nodes: readonly GatewayNode[] }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder component="section" className={styles['node'] ?? ''}>
      <Title order={2} size="h4">
        {t('Settings that need a restart')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('Read from environment variables when a node starts. All other settings take effect immediately.')}
      </Text>
      <dl className={styles['settings']}>
        {settingsOf(nodes).map(({ name, values, differs }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {values.map((value) => value || '–').join(' · ')}
              {differs && (
                <Badge color="yellow" variant="light" size="sm" ml="xs">
                  {t('differs')}
                </Badge>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
