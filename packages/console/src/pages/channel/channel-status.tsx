import { type Channel, channelStatus, channelStatuses } from '@headgate/contract';
import { Tooltip } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { formatTime } from '../../lib/format/format.ts';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './channel.module.css';
import { describeFailure, isCoolingDown, lastFailure, statusColor } from './channel-health.ts';

interface ChannelProps {
  readonly channel: Channel;
}

/** State of an enabled channel: the word belongs to the color of its dot. */
function useStateText(channel: Channel): string {
  const { t, label } = useTranslation();
  const { status, is_failing, paused_models } = channel;
  if (status === channelStatus.enabled) {
    if (isCoolingDown(channel)) return t('Cooling down');
    if (is_failing) return t('Failing');
    if (paused_models.includes('')) return t('Paused');
    if (paused_models.length > 0) return t('Degraded');
  }
  const row = channelStatuses[status];
  return row ? label(row.label) : t('Unknown');
}

/** Status with a dot for the health of the channel. */
export function ChannelStatus({ channel }: ChannelProps) {
  const { t } = useTranslation();
  const text = useStateText(channel);
  const { status_reason, key_count, enabled_key_count } = channel;
  const keys =
    key_count > 0 && t('{enabled} of {count} keys enabled', { enabled: enabled_key_count, count: key_count });
  return (
    <Dot
      color={statusColor(channel)}
      text={text}
      reason={[status_reason, keys].filter(Boolean).join(' · ') || undefined}
    />
  );
}

/** Number of paused models; nothing if none. */
export function PausedModelCount({ channel: { paused_models } }: ChannelProps) {
  const { t } = useTranslation();
  if (paused_models.length === 0) return null;
  const isWhole = paused_models.includes('');
  const count = paused_models.length;
  const text = t('{count} models paused', { count });
  return (
    <Tooltip
      multiline
      maw={420}
      label={isWhole ? t('Retested at increasing intervals') : paused_models.slice(0, 20).join(', ')}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip with the names opens on focus too */}
      <div className={styles['trouble']} data-hint data-cooling-down tabIndex={0}>
        <span>{isWhole ? t('Paused') : text}</span>
      </div>
    </Tooltip>
  );
}

/** Last failure, complete in the tooltip; nothing for a working channel. */
export function ChannelLastFailure({ channel }: ChannelProps) {
  const { t, label } = useTranslation();
  const failure = lastFailure(channel);
  if (!failure) return null;
  const text = describeFailure(failure, label);
  const coolingDown =
    channel.cooldown_seconds > 0 && t('Cooling down ({seconds} s)', { seconds: channel.cooldown_seconds });
  const failed = failure.count > 1 && t('Failed ×{count}', { count: failure.count });
  const prefix = isCoolingDown(channel) ? coolingDown : failed;
  const { model, isTest, time } = failure;
  const request = model && t(isTest ? 'Test of {model}' : 'Request for {model}', { model });
  return (
    <Tooltip multiline maw={420} label={[text, request, formatTime(time)].filter(Boolean).join(' · ')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip with the full text opens on focus too */}
      <div className={styles['trouble']} data-hint data-cooling-down={isCoolingDown(channel) || undefined} tabIndex={0}>
        {prefix && <span>{`${prefix} · `}</span>}
        <span>{text}</span>
        <span>{` · ${relativeTime(t, time)}`}</span>
      </div>
    </Tooltip>
  );
}
