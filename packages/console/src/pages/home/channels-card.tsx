import { type AdminDashboard, channelStatus, logReasons, logType } from '@headgate/contract';
import { Anchor, Card, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { formatTime } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './home.module.css';

/** Channels that fail or cool down with their last error, and the ledger status. */
export function ChannelsCard({ channels, ledger }: Pick<AdminDashboard, 'channels' | 'ledger'>) {
  const { t } = useTranslation();
  const { total, failing, cooling_down, disabled_by_monitor, troubled } = channels;
  const isBalanced = ledger.drift === 0 && ledger.set_aside === 0;
  return (
    <Card withBorder padding="md">
      <div className={styles['head']}>
        <Title order={2}>{t('Channels')}</Title>
        <Anchor component={Link} to="/channel" size="sm">
          {t('{count} in use', { count: total })}
        </Anchor>
      </div>
      <Group gap="lg" mb={troubled.length > 0 ? 'xs' : 0}>
        {failing > 0 ? (
          <Anchor component={Link} to="/channel" search={query({ failing: '1' })}>
            <Dot color="red" text={t('{count} failing', { count: failing })} />
          </Anchor>
        ) : (
          <Text c="dimmed">{t('No failing channels')}</Text>
        )}
        {cooling_down > 0 && (
          <Anchor component={Link} to="/channel" search={query({ cooling_down: '1' })}>
            <Dot color="yellow" text={t('{count} cooling down', { count: cooling_down })} />
          </Anchor>
        )}
        {disabled_by_monitor > 0 && (
          <Anchor component={Link} to="/channel" search={query({ status: String(channelStatus.disabledByMonitor) })}>
            <Dot color="gray" text={t('{count} disabled automatically', { count: disabled_by_monitor })} />
          </Anchor>
        )}
        <Dot
          color={isBalanced ? 'green' : 'red'}
          text={
            isBalanced
              ? t('Ledger balanced')
              : t('Ledger off by {drift} points, {entries} unreadable entries', {
                  drift: ledger.drift,
                  entries: ledger.set_aside,
                })
          }
        />
      </Group>
      <FailingChannels channels={troubled} />
    </Card>
  );
}

/** Failing channels with their last error. */
function FailingChannels({ channels }: { readonly channels: AdminDashboard['channels']['troubled'] }) {
  const { t, label } = useTranslation();
  const reasonOf = (reason: string) =>
    Object.hasOwn(logReasons, reason) ? label(logReasons[reason as keyof typeof logReasons].label) : t('Failed');
  return (
    <ul className={styles['troubled']}>
      {channels.map(({ id, name, reason, status, message, time }) => (
        <li key={id}>
          <Anchor component={Link} to={`/channel/view/${id}`} className={styles['who'] ?? ''}>
            {name}
          </Anchor>
          <Anchor
            component={Link}
            to="/log"
            search={query({ channel: String(id), type: String(logType.failure) })}
            size="sm"
            c="red"
          >
            {reasonOf(reason)}
            {status > 0 && ` · ${status}`}
          </Anchor>
          <Text span size="sm" c="dimmed" className={styles['message'] ?? ''} title={message}>
            {message}
          </Text>
          {time > 0 && (
            <Text span size="sm" c="dimmed" title={formatTime(time)}>
              {relativeTime(t, time)}
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}
