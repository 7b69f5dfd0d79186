import { roles, shortenNumber, truncateName, type User, unknownRole, userStatuses } from '@headgate/contract';
import { Anchor, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useStatus } from '../../lib/page/status.ts';
import { GroupLabels } from '../../ui/group-labels.tsx';
import type { Column } from '../../ui/list/column.ts';
import { Dot, StatusDot } from '../../ui/status-dot.tsx';
import styles from './user-columns.module.css';

export function useUserColumns(): readonly Column<User>[] {
  const { t } = useTranslation();
  return [
    { id: 'id', title: t('ID'), sort: 'id', isNumber: true, width: 84, cell: ({ id }) => id },
    {
      id: 'username',
      title: t('Username'),
      sort: 'username',
      width: 130,
      grow: 2,
      isName: true,
      cell: (user) => <UserName user={user} />,
    },
    {
      id: 'group',
      title: t('Group'),
      sort: 'group',
      width: 88,
      grow: 1,
      cell: ({ group }) => <GroupLabels groups={group} />,
    },
    {
      id: 'statistics',
      title: t('Statistics'),
      sort: 'quota',
      width: 352,
      grow: 2,
      cell: (user) => <Statistics user={user} />,
    },
    { id: 'role', title: t('Role'), sort: 'role', width: 120, grow: 1, cell: ({ role }) => <RoleLabel role={role} /> },
    {
      id: 'status',
      title: t('Status'),
      sort: 'status',
      width: 102,
      grow: 1,
      cell: ({ status }) => <StatusDot status={status} statuses={userStatuses} />,
    },
    {
      id: 'email',
      title: t('Email'),
      isExtra: true,
      width: 160,
      grow: 3,
      cell: ({ email }) => email,
    },
  ];
}

/** Truncated name; full name and email address on hover and focus. */
export function UserName({ user: { id, username, display_name, email } }: { readonly user: User }) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const isCut = truncateName(username) !== username;
  const lines = [isCut ? username : '', display_name || username, email || t('No email bound')];
  return (
    <Tooltip
      label={<span className={styles['lines']}>{lines.filter(Boolean).join('\n')}</span>}
      events={{ hover: true, focus: true, touch: true }}
    >
      {extensions ? (
        <Anchor component={Link} to={`/user/view/${id}`} inherit data-hint>
          {truncateName(username)}
        </Anchor>
      ) : (
        <Text span inherit tabIndex={0} data-hint>
          {truncateName(username)}
        </Text>
      )}
    </Tooltip>
  );
}

function Statistics({ user: { quota, used_quota, request_count } }: { readonly user: User }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const facts = [
    { name: t('Remaining quota'), label: t('Remaining'), value: format(quota) },
    { name: t('Used quota'), label: t('Spent'), value: format(used_quota) },
    { name: t('Request count'), label: t('Requests'), value: shortenNumber(request_count) },
  ];
  return (
    <span className={styles['statistics']}>
      {facts.map(({ name, label, value }) => (
        <Tooltip key={name} label={name}>
          <span>
            <span className={styles['label']}>{label}</span> {value}
          </span>
        </Tooltip>
      ))}
    </span>
  );
}

export function RoleLabel({ role }: { readonly role: number }) {
  const { label } = useTranslation();
  const row = roles[role] ?? unknownRole;
  return <Dot color={row.color} text={label(row.label)} />;
}
