import { roles, truncateName, type User, unknownRole, userStatuses } from '@headgate/contract';
import { Anchor, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import { useAccountColumns } from '../../ui/account-columns.tsx';
import type { Column } from '../../ui/list/column.ts';
import { Dot, StatusDot } from '../../ui/status-dot.tsx';
import styles from './user-columns.module.css';

export function useUserColumns(rows: readonly User[]): readonly Column<User>[] {
  const { t } = useTranslation();
  const { id, name, group, quota, used } = useAccountColumns<User>({
    rows,
    nameTitle: t('Username'),
    nameOf: (user) => <UserName user={user} />,
  });
  return [
    id,
    { ...name, id: 'username', sort: 'username' },
    { ...group, sort: 'group' },
    quota,
    used,
    {
      id: 'request_count',
      title: t('Requests'),
      sort: 'request_count',
      isNumber: true,
      width: 96,
      cell: ({ request_count }) => <span title={t('Request count')}>{formatNumber(request_count)}</span>,
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
export const UserName = memo(function UserName({
  user: { id, username, display_name, email },
}: {
  readonly user: User;
}) {
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
});

export function RoleLabel({ role }: { readonly role: number }) {
  const { label } = useTranslation();
  const row = roles[role] ?? unknownRole;
  return <Dot color={row.color} text={label(row.label)} />;
}
