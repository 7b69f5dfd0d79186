import { type ChannelCircuitBreaker, channelStatus, logReasons } from '@headgate/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { relativeTime } from '../../../lib/format/ago.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { channelQuery } from '../channel-queries.ts';
import {
  type CircuitBreakerMutations,
  circuitBreakersQuery,
  useCircuitBreakerChanges,
} from './circuit-breaker-queries.ts';
import styles from './pauses.module.css';

interface ChannelCircuitBreakersProps {
  readonly id: number;
}

/** Paused models of a channel; nothing if there are none. */
export function ChannelCircuitBreakers({ id }: ChannelCircuitBreakersProps) {
  const { t } = useTranslation();
  const { data: pauses = [], error, refetch } = useQuery(circuitBreakersQuery(id));
  const { data: channel } = useQuery(channelQuery(id));
  const changes = useCircuitBreakerChanges(id);
  if (pauses.length === 0 && !error) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="channel-pauses">
      <Stack gap="md">
        <Title order={2} size="h3" id="channel-pauses">
          {t('Paused models')}
        </Title>
        {error && (
          <LoadFailed title={t('Paused models could not be loaded')} error={error} onRetry={() => void refetch()} />
        )}
        <Text size="sm">
          {t(
            'Requests skip these models while another channel offers them. Each is retested at increasing intervals and resumes when a test passes.',
          )}
        </Text>
        <ul className={styles['pauses']}>
          {pauses.map((pause) => (
            <PauseRow
              key={pause.model}
              pause={pause}
              mayEnd={channel?.status === channelStatus.enabled}
              changes={changes}
            />
          ))}
        </ul>
      </Stack>
    </Paper>
  );
}

interface PauseRowProps {
  readonly pause: ChannelCircuitBreaker;
  /** False for a disabled channel, which must be enabled in the list instead. */
  readonly mayEnd: boolean;
  readonly changes: CircuitBreakerMutations;
}

function PauseRow({ pause, mayEnd, changes: { test, end } }: PauseRowProps) {
  const { t, label } = useTranslation();
  const { model, reason, message, status, since, next_probe, probes } = pause;
  const name = model || t('All models');
  const text = message || label(logReasons[reason === '' ? 'other' : reason].label);
  const isTesting = test.isPending && test.variables === model;
  return (
    <li className={styles['pause']}>
      <Group gap="sm">
        <span className={styles['name']}>{name}</span>
        <Dot color="yellow" text={t('Paused {time}', { time: relativeTime(t, since) })} />
      </Group>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          loading={isTesting}
          disabled={test.isPending || end.isPending}
          aria-label={t('Test now: {model}', { model: name })}
          onClick={() => test.mutate(model)}
        >
          {t('Test now')}
        </Button>
        {mayEnd && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={test.isPending || end.isPending}
            aria-label={t('Resume {model}', { model: name })}
            onClick={() => end.mutate(model)}
          >
            {t('Resume')}
          </Button>
        )}
      </Group>
      <div className={styles['facts']}>
        <div data-trouble>{status > 0 ? `${status} ${text}` : text}</div>
        <div>
          {[
            t('Next test {time}', { time: formatTime(next_probe) }),
            probes > 0 && t('{count} tests failed', { count: probes }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </div>
      </div>
    </li>
  );
}
