import { type Incident, isAdmin } from '@headgate/contract';
import { Title } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import { useUser } from '../../lib/account/session.ts';
import { IncidentCard } from './incident-card.tsx';
import styles from './status.module.css';

// Lazy, because visitors cannot change incidents.
const IncidentActions = lazy(async () => ({ default: (await import('./incident-admin.tsx')).IncidentActions }));

interface IncidentListProps {
  readonly title: string;
  readonly incidents: readonly Incident[];
  /** Seconds since 1970. */
  readonly now: number;
}

/** Titled list of incidents; nothing without incidents. */
export function IncidentList({ title, incidents, now }: IncidentListProps) {
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
