import { channelKeyApi, type Log, logEndCauses, logReasons, logType } from '@headgate/contract';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { useSubjectNames } from '../../ui/subject/use-subjects.ts';
import { formatElapsed, type LogDetail } from './log-detail.ts';
import styles from './log-drawer.module.css';
import { type TimelineStep, timelineOf } from './timeline-steps.ts';

interface LogTimelineProps {
  readonly log: Log;
  readonly detail: LogDetail;
  readonly isAdmin: boolean;
}

/** Timeline of a request, in chronological order. */
export function LogTimeline({ log, detail, isAdmin }: LogTimelineProps) {
  const { t } = useTranslation();
  const steps = timelineOf(log, detail);
  const keyOf = useKeyHints(steps, isAdmin);
  const ids = [...new Set(steps.flatMap(({ channel }) => (isAdmin && channel ? [channel] : [])))];
  const names = useSubjectNames('channel', ids);
  const nameOf = (id: number) => names[ids.indexOf(id)]?.label ?? `#${id}`;
  return (
    <ol className={styles['timeline']} aria-label={t('Timeline')}>
      {steps.map((step, index) => (
        <li key={String(index)} data-state={step.state}>
          <span className={styles['at']}>{step.at === undefined ? '' : formatElapsed(step.at)}</span>
          <div>
            <StepTitle step={step} log={log} where={isAdmin && step.channel ? nameOf(step.channel) : undefined} />
            <StepFacts step={step} keyHint={isAdmin ? keyOf(step) : undefined} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function StepTitle({
  step,
  log,
  where,
}: {
  readonly step: TimelineStep;
  readonly log: Log;
  readonly where: string | undefined;
}) {
  const { t, label } = useTranslation();
  const channel = where && step.channel && <Link to={`/channel/view/${step.channel}`}>{where}</Link>;
  const reason = log.reason && label(logReasons[log.reason].label);
  const titles: Readonly<Record<TimelineStep['kind'], string>> = {
    received: t('Received'),
    routed: t('Queued and routed'),
    attempt: t('Attempt failed'),
    served: t('Sent to the channel'),
    hedge: t('Hedged request canceled'),
    firstByte: t('First byte sent to the client'),
    end:
      log.type === logType.failure
        ? t('Failed')
        : log.ended_by
          ? label(logEndCauses[log.ended_by].label)
          : t('Completed'),
  };
  const parts = [
    step.status ? String(step.status) : '',
    step.kind === 'end' && log.type === logType.failure ? reason : '',
  ];
  return (
    <div className={styles['stepTitle']}>
      {titles[step.kind]}
      {channel && <> · {channel}</>}
      {parts.filter(Boolean).map((part) => ` · ${part}`)}
    </div>
  );
}

function StepFacts({ step, keyHint }: { readonly step: TimelineStep; readonly keyHint: string | undefined }) {
  const { t } = useTranslation();
  const facts = [
    keyHint,
    step.model,
    step.ms !== undefined && t('took {time}', { time: formatElapsed(Math.round(step.ms)) }),
  ].filter(Boolean);
  return (
    <>
      {facts.length > 0 && <div className={styles['stepFacts']}>{facts.join(' · ')}</div>}
      {step.text && <div className={styles['stepText']}>{step.text}</div>}
    </>
  );
}

/** Last characters of the keys, for channels with several. */
function useKeyHints(steps: readonly TimelineStep[], isAdmin: boolean): (step: TimelineStep) => string | undefined {
  const { t } = useTranslation();
  const channels = [...new Set(steps.flatMap(({ channel, key }) => (isAdmin && channel && key ? [channel] : [])))];
  const results = useQueries({
    queries: channels.map((id) => ({
      queryKey: ['log-keys', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(channelKeyApi.list, { params: { id } }, { signal }),
      retry: false,
      staleTime: 30_000,
      meta: { quiet: true },
    })),
  });
  return ({ channel, key }) => {
    if (!channel || !key) return undefined;
    const found = results[channels.indexOf(channel)]?.data?.find(({ id }) => id === key);
    return found?.hint ? t('key …{hint}', { hint: found.hint }) : t('key {id}', { id: key });
  };
}
