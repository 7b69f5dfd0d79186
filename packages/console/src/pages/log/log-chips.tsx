import { logReasons, logTypes, optionSections, parseLogSubject, successStatus } from '@headgate/contract';
import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import { suggestionsQuery } from '../../ui/log-suggestions/suggestions.ts';
import type { LogFilterControl } from './log-filter-state.ts';
import styles from './log-filters.module.css';
import { type LogFilters, noFilters, writeFilters } from './log-filters.ts';

interface LogChipsProps {
  readonly control: LogFilterControl;
  readonly isAdmin: boolean;
}

type Shown = Exclude<keyof LogFilters, 'contains' | 'view'>;

const forAdmins: readonly string[] = ['channel', 'channel_name', 'username', 'group', 'about'];

/** The log type is visible in the tabs, and the time range has its own field. */
const hidden: readonly string[] = ['contains', 'view'];

/** Active filters as removable chips. */
export function LogChips({ control: { filters, apply }, isAdmin }: LogChipsProps) {
  const translation = useTranslation();
  const channelName = useChannelName(filters.channel, isAdmin);
  const shown = Object.entries(writeFilters(filters))
    .filter(([name, value]) => value && !hidden.includes(name) && (isAdmin || !forAdmins.includes(name)))
    .map(([name]) => name as Shown);
  if (shown.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label={translation.t('Active filters')}>
      {shown.map((name) => (
        <li key={name}>
          <UnstyledButton
            className={styles['chip'] ?? ''}
            title={translation.t('Remove filter')}
            onClick={() => apply(without(filters, name))}
          >
            <span className={styles['chipText']}>{chipText(name, filters, translation, channelName)}</span>
            <IconX size={14} stroke={1.8} aria-hidden />
            <span className={styles['unseen']}>{translation.t('Remove filter')}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

/** A reason implies the failure type, so both are removed together. */
const without = (filters: LogFilters, name: Shown): LogFilters => ({
  ...filters,
  ...(name === 'type' && { reason: '' as const }),
  [name]: noFilters[name],
  contains: filters.contains
    .split(',')
    .filter((each) => each !== name)
    .join(','),
});

function chipText(name: Shown, filters: LogFilters, translation: Translation, channelName: string): string {
  const { t, label } = translation;
  const titles: Readonly<Record<Shown, string>> = {
    type: t('Type'),
    reason: t('Reason'),
    token_name: t('Token name'),
    model_name: t('Model name'),
    username: t('Username'),
    group: t('Group'),
    channel: t('Channel'),
    request_id: t('Request ID'),
    start: t('From'),
    end: t('Until'),
    about: t('Audit events of'),
    before: t('Older than'),
    status: t('Status'),
    text: t('Text'),
    tag: t('Tag'),
    channel_name: t('Channel'),
  };
  const values: Readonly<Partial<Record<Shown, string>>> = {
    type: label(logTypes[filters.type]?.label ?? ''),
    reason: filters.reason === '' ? '' : label(logReasons[filters.reason].label),
    channel: channelName,
    start: formatTime(filters.start),
    end: formatTime(filters.end ?? 0),
    status: filters.status === successStatus ? t('Succeeded') : String(filters.status),
    about: subjectName(filters.about, translation),
    before: formatTime(Number(filters.before.split('-')[0])),
  };
  const value = values[name] ?? String(filters[name]);
  const isPart = filters.contains.split(',').includes(name);
  return isPart ? t('{name} contains {value}', { name: titles[name], value }) : `${titles[name]}: ${value}`;
}

function subjectName(about: string, { t, label }: Translation): string {
  const subject = parseLogSubject(about);
  if (subject?.kind === 'redemption') return `${t('Redemption code')} #${subject.id}`;
  return subject ? `${t('Settings')} · ${label(optionSections[subject.section].label)}` : '';
}

/** Channel name with id, if the server returns it. */
function useChannelName(id: number, isAdmin: boolean): string {
  const { extensions } = useStatus();
  const { data = [] } = useQuery({
    ...suggestionsQuery('channel', String(id), isAdmin),
    enabled: extensions && isAdmin && id !== 0,
  });
  const name = data.find(({ value }) => value === String(id))?.name;
  return name ? `${name} (#${id})` : `#${id}`;
}
