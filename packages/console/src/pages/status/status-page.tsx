import type { PublicStatus } from '@headgate/contract';
import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { currentAvailability } from './availability.ts';
import { ModelCard } from './model-card.tsx';
import styles from './status.module.css';
import { publicStatusQuery } from './status-queries.ts';

/** Public status page: availability and latency of the models. */
export function StatusPage() {
  const { t } = useTranslation();
  const { status_page } = useStatus();
  const isAsking = useIsFetching({ queryKey: ['status'] }) > 0;
  return (
    <Stack gap="sm" maw={960}>
      <Title order={1}>{t('Status')}</Title>
      {status_page && <Models />}
      {!status_page && (isAsking ? <Skeleton height={160} /> : <NoStatus />)}
    </Stack>
  );
}

function Models() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(publicStatusQuery);
  if (!data)
    return error ? (
      <LoadFailed title={t('Status could not be loaded')} error={error} onRetry={refetch} />
    ) : (
      <Skeleton height={160} />
    );
  if (data.models.length === 0)
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center" py="lg">
          {t('No models available yet')}
        </Text>
      </Paper>
    );
  return (
    <>
      <Summary status={data} />
      <ul className={styles['models']} aria-label={t('Model availability')}>
        {troubledFirst(data.models).map((model) => (
          <ModelCard key={model.model} model={model} status={data} />
        ))}
      </ul>
    </>
  );
}

const urgency = { bad: 0, poor: 1, good: 2, none: 3 } as const;

/** Failing models first, otherwise in the order of the response. */
const troubledFirst = (models: PublicStatus['models']) =>
  models.toSorted((one, other) => urgency[currentAvailability(one)] - urgency[currentAvailability(other)]);

function Summary({ status: { models, time } }: { readonly status: PublicStatus }) {
  const { t } = useTranslation();
  const standings = models.map(currentAvailability);
  const troubled = standings.filter((standing) => standing === 'poor' || standing === 'bad').length;
  const isSilent = standings.every((standing) => standing === 'none');
  const calm = isSilent ? t('No recent requests') : t('All models operational');
  return (
    <div className={styles['summary']}>
      <Dot
        color={standings.includes('bad') ? 'red' : troubled > 0 ? 'yellow' : isSilent ? 'gray' : 'green'}
        text={troubled > 0 ? t('Problems with {n} of {all} models', { n: troubled, all: models.length }) : calm}
      />
      <Text size="sm" c="dimmed">
        {t('As of {time}. Invalid requests are not counted.', { time: formatTime(time) })}
      </Text>
    </div>
  );
}

function NoStatus() {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="xl">
      <Stack gap="xs" align="center" py="lg">
        <Text fw={600}>{t('The status page is turned off')}</Text>
        <Text c="dimmed" ta="center">
          {t('An admin can turn it on in the operation settings.')}
        </Text>
      </Stack>
    </Paper>
  );
}
