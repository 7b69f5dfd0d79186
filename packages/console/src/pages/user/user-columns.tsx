import { roles, truncateName, type User, unknownRole, userStatuses } from '@headgate/contract';
import { Anchor, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useStatus } from '../../lib/page/status.ts';
import { GroupLabels } from '../../ui/group-labels.tsx';
import type { Column } from '../../ui/list/column.ts';
import { Dot, StatusDot } from '../../ui/status-dot.tsx';
import styles from './user-columns.module.css';

export function useUserColumns(): readonly Column<User>[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
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
      cell: ({ group }) => <GroupLabels groups={group} isPlain />,
    },
    {
      id: 'quota',
      title: t('Remaining'),
      sort: 'quota',
      isNumber: true,
      width: 150,
      grow: 1,
      cell: ({ quota }) => <Tooltipped name={t('Remaining quota')}>{format(quota)}</Tooltipped>,
    },
    {
      id: 'used_quota',
      title: t('Spent'),
      sort: 'used_quota',
      isNumber: true,
      width: 106,
      grow: 1,
      cell: ({ used_quota }) => <Tooltipped name={t('Used quota')}>{format(used_quota)}</Tooltipped>,
    },
    {
      id: 'request_count',
      title: t('Requests'),
      sort: 'request_count',
      isNumber: true,
      width: 96,
      cell: ({ request_count }) => <Tooltipped name={t('Request count')}>{formatNumber(request_count)}</Tooltipped>,
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

function Tooltipped({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <Tooltip label={name}>
      <span>{children}</span>
    </Tooltip>
  );
}

export function RoleLabel({ role }: { readonly role: number }) {
  const { label } = useTranslation();
  const row = roles[role] ?? unknownRole;
  return <Dot color={row.color} text={label(row.label)} />;
}
