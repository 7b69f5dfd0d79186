import { type Log, logType, logTypes, successStatus, truncateName } from '@headgate/contract';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useChannelAddress } from '../../lib/page/channel-address.ts';
import type { Column } from '../../ui/list/column.ts';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './log.module.css';
import { costDecimals } from './log-detail.ts';
import { LogDetails, type OpenLog } from './log-details.tsx';
import type { LogOrder } from './log-order.ts';
import { logColor } from './log-state.ts';

interface LogColumn extends Column<Log> {
  readonly sort?: LogOrder;
}

/** Fields that do not apply are blank. */
const blankIfZero = (value: number): string => (value === 0 ? '' : formatNumber(value));

const hasNoCharge = ({ quota, type }: Log): boolean => quota === 0 || type === logType.topUp;

interface LogColumnOptions {
  readonly isAdmin: boolean;
  readonly openLog: OpenLog;
  readonly rows: readonly Log[];
  /** True if all rows are events, such as audit events, instead of requests. */
  readonly areEvents: boolean;
}

export function useLogColumns({ isAdmin, openLog, rows, areEvents }: LogColumnOptions): readonly Column<Log>[] {
  const { t } = useTranslation();
  const areRecent = rows.every(({ created_at }) => isRecent(created_at));
  const requestColumns = useRequestColumns(isAdmin);
  const columns: readonly LogColumn[] = [
    {
      id: 'time',
      title: t('Time'),
      sort: 'created_at',
      width: areRecent ? 96 : 150,
      cell: ({ created_at }) => <LogTime seconds={created_at} />,
    },
    {
      id: 'type',
      ...(areEvents ? { title: t('Type'), width: 120 } : { title: t('Status'), width: 88 }),
      cell: (log) => <LogStatus log={log} />,
    },
    isAdmin
      ? {
          id: 'user',
          title: areEvents ? t('User') : `${t('User')} · ${t('Token')}`,
          width: areEvents ? 140 : 172,
          grow: areEvents ? 0 : 1,
          cell: (log) => <UserAndToken log={log} />,
        }
      : { id: 'token', title: t('Token'), width: 132, grow: 1, cell: ({ token_name }) => token_name },
    ...(areEvents ? [] : requestColumns),
    {
      id: 'details',
      title: areEvents ? t('Event') : t('Details'),
      width: areEvents ? 320 : 130,
      grow: 4,
      usesEmptyCells: true,
      cell: (log) => <LogDetails log={log} isAdmin={isAdmin} openLog={openLog} />,
    },
  ];
  return columns;
}

/** Columns that are empty for events. */
function useRequestColumns(isAdmin: boolean): readonly LogColumn[] {
  const { t } = useTranslation();
  return [
    isAdmin
      ? {
          id: 'model',
          title: `${t('Model')} · ${t('Channel')}`,
          width: 190,
          grow: 2,
          isBlank: ({ model_name, channel }) => model_name === '' && channel === 0,
          cell: (log) => <ModelAndChannel log={log} />,
        }
      : {
          id: 'model',
          title: t('Model'),
          width: 150,
          grow: 1,
          isBlank: ({ model_name }) => model_name === '',
          cell: ({ model_name }) => model_name,
        },
    ...useNumberColumns(),
  ];
}

function useNumberColumns(): readonly LogColumn[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return [
    {
      id: 'prompt_tokens',
      title: t('Prompt'),
      sort: 'prompt_tokens',
      isNumber: true,
      width: 64,
      isBlank: ({ prompt_tokens }) => prompt_tokens === 0,
      cell: ({ prompt_tokens }) => blankIfZero(prompt_tokens),
    },
    {
      id: 'completion_tokens',
      title: t('Completion'),
      sort: 'completion_tokens',
      isNumber: true,
      width: 90,
      isBlank: ({ completion_tokens }) => completion_tokens === 0,
      cell: ({ completion_tokens }) => blankIfZero(completion_tokens),
    },
    {
      id: 'quota',
      title: t('Quota'),
      sort: 'quota',
      isNumber: true,
      width: 96,
      // Top-ups are described by their sentence, which extends over this column.
      isBlank: hasNoCharge,
      cell: (log) => (hasNoCharge(log) ? '' : format(log.quota, costDecimals)),
    },
  ];
}

/** User and token share a column, because a tenth column would not fit. */
function UserAndToken({ log: { username, token_name } }: { readonly log: Log }) {
  return (
    <>
      <span title={username}>{truncateName(username)}</span>
      {token_name && <span className={styles['second']}>{token_name}</span>}
    </>
  );
}

function ModelAndChannel({ log: { model_name, channel, channel_name } }: { readonly log: Log }) {
  return (
    <>
      {model_name && <span>{model_name}</span>}
      {channel !== 0 && <ChannelLink channel={channel} name={channel_name} />}
    </>
  );
}

/** A plain link, because the router's link adds listeners, which slow down a page with a hundred links. */
function ChannelLink({ channel, name }: { readonly channel: number; readonly name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const address = useChannelAddress()(channel);
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ to: address });
  };
  return (
    <a
      className={styles['link']}
      href={address}
      title={name ? `${name} (#${channel})` : t('Channel {id}', { id: channel })}
      onClick={follow}
    >
      {name || `#${channel}`}
    </a>
  );
}

const secondsPerDay = 86_400;

/** True for times that are shown relative to now. */
const isRecent = (seconds: number): boolean => Date.now() / 1000 - seconds < secondsPerDay;

/** Relative for a day, then the full time, which the tooltip always shows. */
export function LogTime({ seconds }: { readonly seconds: number }) {
  const { t } = useTranslation();
  const full = formatTime(seconds);
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={full}>
      {isRecent(seconds) ? relativeTime(t, seconds) : full}
    </time>
  );
}

/** HTTP status of a request, or the type of an event. */
export function LogStatus({ log }: { readonly log: Log }) {
  const { t, label } = useTranslation();
  const type = logTypes[log.type];
  const status = log.type === logType.consumption ? successStatus : log.status;
  return <Dot color={logColor(log)} text={status > 0 ? `${status}` : type ? label(type.label) : t('Unknown')} />;
}
