import { type Channel, type ListedTraffic, splitCommas } from '@headgate/contract';
import { Anchor, Loader, NativeSelect, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import styles from './channel.module.css';
import { formatChannelBalance, formatSeconds } from './channel-facts.ts';
import { lastTestColor } from './channel-health.ts';
import { formatFraction, successRate } from './overview/overview-stats.ts';
import type { TestModels } from './test-models.ts';

interface ChannelProps {
  readonly channel: Channel;
}

const listedModels = 30;
/** Longer names may be truncated in their column. */
const longName = 16;

/** Channel name linked to its page, with the models in a tooltip. */
export function ChannelName({ channel }: ChannelProps) {
  const { t } = useTranslation();
  const models = splitCommas(channel.models);
  const more = models.length - listedModels;
  const list =
    models.slice(0, listedModels).join(', ') + (more > 0 ? ` ${t('and {count} more', { count: more })}` : '');
  const { name } = channel;
  return (
    <Tooltip
      label={(name.length > longName ? `${name}: ` : '') + (list || t('No models'))}
      multiline
      maw={360}
      position="bottom-start"
    >
      <Anchor component={Link} to={`/channel/view/${channel.id}`} className={styles['name'] ?? ''} data-hint>
        {name || t('None')}
      </Anchor>
    </Tooltip>
  );
}

/** Links to all channels with the tag. */
export function ChannelTag({ channel: { tag } }: ChannelProps) {
  if (!tag) return null;
  return (
    <Anchor component={Link} to="/channel" search={query({ tag })} className={styles['name'] ?? ''}>
      {tag}
    </Anchor>
  );
}

interface ResponseTimeProps extends ChannelProps {
  readonly isTesting: boolean;
}

export function ResponseTime({ channel, isTesting }: ResponseTimeProps) {
  const { t } = useTranslation();
  const { response_time, test_time, test_reason } = channel;
  const tested = test_time > 0 ? t('Last tested {time}', { time: formatTime(test_time) }) : t('Not tested yet');
  if (isTesting) {
    return (
      <span className={styles['testing']}>
        <Loader size={12} aria-hidden />
        {t('Testing')}
      </span>
    );
  }
  const time = response_time > 0 ? formatSeconds(response_time / 1000) : t('Untested');
  return (
    <Tooltip label={tested}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip with the test time opens on focus too */}
      <span className={styles['speed']} data-color={lastTestColor(channel)} tabIndex={0}>
        {test_reason === '' ? time : t('Failed')}
      </span>
    </Tooltip>
  );
}

interface BalanceProps extends ChannelProps {
  readonly isUpdating: boolean;
  readonly onUpdate: () => void;
}

export function ChannelBalance({ channel, isUpdating, onUpdate }: BalanceProps) {
  const { t } = useTranslation();
  const text = formatChannelBalance(channel.type, channel.balance);
  if (text === undefined) {
    return (
      <Text span c="dimmed" fz="inherit">
        {t('Unsupported')}
      </Text>
    );
  }
  const { balance_updated_time: updated } = channel;
  return (
    <Tooltip
      label={updated > 0 ? t('As of {time}; click to update', { time: formatTime(updated) }) : t('Click to update')}
    >
      <UnstyledButton
        className={styles['balance'] ?? ''}
        aria-label={t('Update balance of {name} ({balance})', { name: channel.name, balance: text })}
        disabled={isUpdating}
        onClick={onUpdate}
      >
        {isUpdating ? <Loader size={12} aria-hidden /> : text}
      </UnstyledButton>
    </Tooltip>
  );
}

interface TestModelProps extends ChannelProps {
  readonly testModels: TestModels;
}

/** Model for the next test; not stored. */
export function TestModel({ channel, testModels }: TestModelProps) {
  const { t } = useTranslation();
  const models = splitCommas(channel.models);
  if (models.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      maw={150}
      aria-label={t('Test model of {name}', { name: channel.name })}
      data={models}
      value={testModels.of(channel)}
      onChange={(event) => testModels.choose(channel, event.currentTarget.value)}
    />
  );
}

/** Success rate and requests per hour of the last 24 hours. */
export function ChannelTraffic({ traffic }: { readonly traffic: ListedTraffic | undefined }) {
  const { t } = useTranslation();
  const rate = traffic && successRate(traffic);
  if (!traffic || rate === undefined || rate === null) return null;
  const { requests, failures, hours } = traffic;
  const count = (value: number) => t('{count} requests', { count: formatNumber(value) });
  const failed = failures > 0 && t('{count} failed', { count: formatNumber(failures) });
  const label = [t('Last 24 hours'), count(requests), failed].filter(Boolean).join(' · ');
  return (
    <div className={styles['traffic']} title={label}>
      <span data-bad={rate < lowRate || undefined}>{formatFraction(rate)}</span>
      <Sparkline bars={hours.map((value) => ({ value, title: count(value) }))} height={20} label={label} />
    </div>
  );
}

/** Success rates below this are shown in red. */
const lowRate = 0.95;
