import { type Incident, type IncidentSeverity, incidentSeverities, isOpenIncident } from '@headgate/contract';
import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { Time } from '../../ui/time.tsx';
import styles from './status.module.css';

const colors: Readonly<Record<IncidentSeverity, string>> = { major: 'red', minor: 'yellow', maintenance: 'blue' };

interface IncidentCardProps {
  readonly incident: Incident;
  /** Seconds since 1970. */
  readonly now: number;
  /** Actions of admins. */
  readonly children?: ReactNode;
}

/** An incident with its updates, latest first. All texts are plain text. */
export function IncidentCard({ incident, now, children }: IncidentCardProps) {
  const { t, label } = useTranslation();
  const { title, text, severity, models, start_time, end_time, created_time, updates } = incident;
  const isOpen = isOpenIncident(incident, now);
  const state = !isOpen ? t('Resolved') : start_time > now ? t('Planned') : t('Ongoing');
  return (
    <Paper
      withBorder
      component="li"
      className={styles['incident'] ?? ''}
      data-severity={isOpen ? severity : undefined}
      aria-label={title}
    >
      <div className={styles['head']}>
        <Title order={3} size="h4" className={styles['name'] ?? ''}>
          {title}
        </Title>
        <Group gap={6}>
          <Badge variant="light" color={isOpen ? colors[severity] : 'gray'} tt="none">
            {label(incidentSeverities[severity])}
          </Badge>
          <Badge variant="outline" color={isOpen ? colors[severity] : 'gray'} tt="none">
            {state}
          </Badge>
        </Group>
      </div>
      <Text size="sm" c="dimmed">
        <Time seconds={start_time} />
        {end_time > 0 && (
          <>
            {' – '}
            <Time seconds={end_time} />
          </>
        )}
        {' · '}
        {models.length === 0 ? t('All models') : models.join(', ')}
      </Text>
      <ol className={styles['updates']}>
        {updates.toReversed().map((update) => (
          <li key={`${update.time} ${update.text}`}>
            <Text size="sm" c="dimmed">
              <Time seconds={update.time} />
            </Text>
            <p>{update.text}</p>
          </li>
        ))}
        <li>
          <Text size="sm" c="dimmed">
            <Time seconds={created_time} />
          </Text>
          <p>{text}</p>
        </li>
      </ol>
      {children}
    </Paper>
  );
}
