import { type Channel, type ChannelOverview, logReasons, logType } from '@headgate/contract';
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { relativeTime } from '../../../lib/format/ago.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { query } from '../../../lib/page/address.ts';
import { IncidentLink } from './incident-link.tsx';
import styles from './overview.module.css';
import { OverviewSection } from './overview-section.tsx';

interface ChannelFailuresProps {
  readonly overview: ChannelOverview;
  readonly channel: Channel;
}

/** The latest failed requests with their full message, each linked to its log entry. */
export function ChannelFailures({ overview: { failures }, channel }: ChannelFailuresProps) {
  const { t, label } = useTranslation();
  const all = { channel: channel.id, type: logType.failure };
  return (
    <OverviewSection
      title={t('Recent failures')}
      tool={
        failures.length > 0 && (
          <Group gap="sm">
            <IncidentLink models={[...new Set(failures.map(({ model_name }) => model_name))]} />
            <Anchor component={Link} to="/log" search={query(all)} size="sm">
              {t('Show all in logs')}
            </Anchor>
          </Group>
        )
      }
    >
      {failures.length === 0 && <Text c="dimmed">{t('No failed requests in the last 24 hours')}</Text>}
      <ul className={styles['failures']}>
        {failures.map(({ id, created_at, request_id, model_name, reason, status, message }) => {
          const name = label(logReasons[reason === '' ? 'other' : reason].label);
          return (
            <li key={id}>
              <div className={styles['failureHead']}>
                <span data-bad>{status > 0 ? `${status} ${name}` : name}</span>
                <span>{model_name}</span>
                <Anchor
                  component={Link}
                  to="/log"
                  search={query(request_id ? { request_id } : all)}
                  title={formatTime(created_at)}
                  inherit
                >
                  {relativeTime(t, created_at)}
                </Anchor>
              </div>
              {message && <div className={styles['message']}>{message}</div>}
            </li>
          );
        })}
      </ul>
    </OverviewSection>
  );
}
