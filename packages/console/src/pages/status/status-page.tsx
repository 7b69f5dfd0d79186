import { type Incident, isAdmin, isOpenIncident, type PublicStatus } from '@headgate/contract';
import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { formatTime } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import { useStatus } from '../../lib/page/status.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { currentAvailability } from './availability.ts';
import { IncidentCard } from './incident-card.tsx';
import { incidentsQuery } from './incident-queries.ts';
import { ModelCard } from './model-card.tsx';
import styles from './status.module.css';
import { publicStatusQuery } from './status-queries.ts';

// Lazy, because visitors cannot change incidents.
const IncidentActions = lazy(async () => ({ default: (await import('./incident-admin.tsx')).IncidentActions }));

interface IncidentListProps {
  readonly title: string;
  readonly incidents: readonly Incident[];
  /** Seconds since 1970. */
  readonly now: number;
}

/** Titled list of incidents; nothing without incidents. */
function IncidentList({ title, incidents, now }: IncidentListProps) {
  const id = useId();
  const mayManage = isAdmin(useUser());
  if (incidents.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="xs">
        {title}
      </Title>
      <ul className={styles['models']}>
        {incidents.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} now={now}>
            {mayManage && (
              <Suspense>
                <IncidentActions incident={incident} now={now} />
              </Suspense>
            )}
          </IncidentCard>
        ))}
      </ul>
    </section>
  );
}

// Lazy, because visitors cannot post incidents.
const PostIncident = lazy(async () => ({ default: (await import('./incident-admin.tsx')).PostIncident }));

/** Public status page: incidents, and availability and latency of the models. */
export function StatusPage() {
  const { t } = useTranslation();
  const { status_page } = useStatus();
  const mayManage = isAdmin(useUser());
  const isFetching = useIsFetching({ queryKey: ['status'] }) > 0;
  return (
    <Stack gap="md" maw={status_page ? 2400 : 960}>
      <Group justify="space-between">
        <Title order={1}>{t('Status')}</Title>
        {mayManage && (
          <Suspense>
            <PostIncident />
          </Suspense>
        )}
      </Group>
      {status_page && <Content />}
      {!status_page && (isFetching ? <Skeleton height={160} /> : <NoStatus mayManage={mayManage} />)}
    </Stack>
  );
}

function Content() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(publicStatusQuery);
  if (!data)
    return error ? (
      <LoadFailed title={t('Status could not be loaded')} error={error} onRetry={refetch} />
    ) : (
      <Skeleton height={160} />
    );
  const open = plannedLast(
    data.incidents.filter((incident) => isOpenIncident(incident, data.time)),
    data.time,
  );
  const past = data.incidents.filter((incident) => !isOpenIncident(incident, data.time));
  return (
    <>
      <Summary status={data} open={open} />
      <IncidentList title={t('Current incidents')} incidents={open} now={data.time} />
      <Models status={data} />
      <IncidentList title={t('Past incidents')} incidents={past} now={data.time} />
      {past.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No past incidents in the last 90 days')}
        </Text>
      )}
    </>
  );
}

/** Ongoing incidents before planned ones. */
const plannedLast = (incidents: readonly Incident[], now: number) =>
  incidents.toSorted((one, other) => Number(one.start_time > now) - Number(other.start_time > now));

function Models({ status }: { readonly status: PublicStatus }) {
  const { t } = useTranslation();
  if (status.models.length === 0)
    return (
      <Paper withBorder p="xl">
        <EmptyState text={t('No models available yet')} />
      </Paper>
    );
  return (
    <ul className={styles['models']} data-columns aria-label={t('Model availability')}>
      {troubledFirst(status).map((model) => (
        <ModelCard key={model.model} model={model} status={status} />
      ))}
    </ul>
  );
}

const urgency = { bad: 0, poor: 1, good: 2, none: 3 } as const;

/** Models with ongoing incidents and failing models first, otherwise in response order. */
function troubledFirst({ models, incidents, time }: PublicStatus) {
  const isOngoing = (incident: Incident) => incident.start_time <= time && isOpenIncident(incident, time);
  const affected = new Set(incidents.filter(isOngoing).flatMap((incident) => incident.models));
  const rankOf = (model: PublicStatus['models'][number]) =>
    affected.has(model.model) ? -1 : urgency[currentAvailability(model)];
  return models.toSorted((one, other) => rankOf(one) - rankOf(other));
}

interface SummaryProps {
  readonly status: PublicStatus;
  readonly open: readonly Incident[];
}

function Summary({ status: { models, time }, open }: SummaryProps) {
  const { t } = useTranslation();
  const standings = models.map(currentAvailability);
  const troubled = standings.filter((availability) => availability === 'poor' || availability === 'bad').length;
  const isSilent = standings.every((availability) => availability === 'none');
  const calm = isSilent ? t('No recent requests') : t('All models operational');
  const ongoing = open.filter(({ start_time, severity }) => start_time <= time && severity !== 'maintenance');
  const isBad = standings.includes('bad') || ongoing.some(({ severity }) => severity === 'major');
  const isPoor = troubled > 0 || ongoing.length > 0;
  const facts = [
    ongoing.length > 0 && t('{n} incidents in progress', { n: ongoing.length }),
    troubled > 0 && t('Problems with {n} of {all} models', { n: troubled, all: models.length }),
  ].filter(Boolean);
  return (
    <div className={styles['summary']}>
      <Dot
        color={isBad ? 'red' : isPoor ? 'yellow' : isSilent ? 'gray' : 'green'}
        text={facts.length > 0 ? facts.join(' · ') : calm}
      />
      <Text size="sm" c="dimmed">
        {t('As of {time}. Invalid requests are not counted.', { time: formatTime(time) })}
      </Text>
    </div>
  );
}

function NoStatus({ mayManage }: { readonly mayManage: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Paper withBorder p="xl">
        <Stack gap="xs" align="center" py="lg">
          <Text fw={600}>{t('The status page is turned off')}</Text>
          <Text c="dimmed" ta="center">
            {t('An admin can turn it on in the operation settings.')}
          </Text>
          {mayManage && (
            <Button component={Link} to="/setting" search={query({ tab: 'operation', topic: 'operation' })} mt="xs">
              {t('Open settings')}
            </Button>
          )}
        </Stack>
      </Paper>
      {mayManage && <StoredIncidents />}
    </>
  );
}

/** Incidents shown to admins while the public page is off. */
function StoredIncidents() {
  const { t } = useTranslation();
  const { data, dataUpdatedAt } = useQuery(incidentsQuery);
  return <IncidentList title={t('Incidents')} incidents={data?.rows ?? []} now={Math.floor(dataUpdatedAt / 1000)} />;
}
