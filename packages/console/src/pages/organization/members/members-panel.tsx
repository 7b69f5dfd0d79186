import { type Budget, type Organization, type OrganizationMember, organizationRoleLabels } from '@headgate/contract';
import { Button, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useList } from '../../../lib/list/list.ts';
import { BudgetBar } from '../../../ui/effective-limits/budget-bar.tsx';
import type { Card, Column } from '../../../ui/list/column.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { budgetsOf, budgetsQuery, hasPermission, membersQuery, usedFraction } from '../organization-queries.ts';
import { paginateRows } from '../paginate-rows.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { useMemberActions } from './member-actions.tsx';
import type { MemberRow } from './member-row.ts';

/** Members with their roles and caps, and invitations. */
export function MembersPanel({ organization }: { readonly organization: Organization }) {
  const { t } = useTranslation();
  const list = useMembers(organization);
  const actions = useMemberActions(organization);
  const columns = useColumns(organization);
  const card = useCard();
  const [isInviting, setInviting] = useState(false);
  const mayManage = hasPermission(organization, 'manage_members');
  return (
    <>
      <ListPage<MemberRow>
        title={t('Members')}
        list={list}
        columns={columns}
        rowKey={({ user_id }) => user_id}
        rowName={({ username }) => username}
        actions={actions.of}
        searchLabel={t('Search by name')}
        emptyText={t('No members')}
        aside={
          mayManage && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
              {t('Invite')}
            </Button>
          )
        }
        card={card}
      />
      {mayManage && <Invitations organization={organization} />}
      {isInviting && <InviteDialog organization={organization} onClosed={() => setInviting(false)} />}
      {actions.dialog}
    </>
  );
}

function useMembers({ id }: Organization) {
  const queries = useQueryClient();
  return useList<MemberRow>({
    name: 'organization-members',
    dependencies: ['members', id],
    read: async (state) => {
      const [members, budgets] = await Promise.all([
        queries.fetchQuery(membersQuery(id)),
        queries.fetchQuery(budgetsQuery(id)),
      ]);
      const rows = members.map((member) => ({ ...member, caps: budgetsOf(budgets, 'member', member.id) }));
      return paginateRows(rows, state, {
        text: ({ username, display_name, email }) => `${username} ${display_name} ${email}`,
        sorts: {
          username: ({ username }) => username,
          role: ({ role }) => role,
          cap: ({ caps: [cap] }) => (cap ? usedFraction(cap) : -1),
          created_time: ({ created_time }) => created_time,
        },
      });
    },
  });
}

function useColumns(organization: Organization): readonly Column<MemberRow>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'username',
      title: t('Member'),
      sort: 'username',
      width: 150,
      grow: 2,
      cell: (member) => <MemberName member={member} />,
    },
    { id: 'role', title: t('Role'), sort: 'role', width: 150, cell: (member) => <MemberRole member={member} /> },
    { id: 'cap', title: t('Cap'), sort: 'cap', width: 170, grow: 1, cell: ({ caps }) => <Caps caps={caps} /> },
    ...(hasPermission(organization, 'manage_members')
      ? [
          {
            id: 'email',
            title: t('Email'),
            width: 170,
            grow: 2,
            cell: ({ email }: MemberRow) => email,
          },
        ]
      : []),
    {
      id: 'created_time',
      title: t('Joined'),
      sort: 'created_time',
      width: 152,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
  ];
}

function MemberName({ member: { username, display_name } }: { readonly member: MemberRow }) {
  return (
    <>
      <Text span fw={500} inherit>
        {username}
      </Text>
      {display_name !== '' && display_name !== username && (
        <Text span size="xs" c="dimmed" ml={6}>
          {display_name}
        </Text>
      )}
    </>
  );
}

function MemberRole({ member: { role } }: { readonly member: Pick<OrganizationMember, 'role'> }) {
  const { label } = useTranslation();
  const row = organizationRoleLabels[role];
  return <Dot color={row.color} text={label(row.label)} />;
}

/** The most used cap, followed by the number of further caps. */
function Caps({ caps: [cap, ...others] }: { readonly caps: readonly Budget[] }) {
  const { t } = useTranslation();
  if (!cap) return t('No cap');
  return (
    <>
      <BudgetBar budget={cap} isShort />
      {others.length > 0 && (
        <Text span size="xs" c="dimmed">
          {t('and {count} more', { count: others.length })}
        </Text>
      )}
    </>
  );
}

function useCard() {
  const { t } = useTranslation();
  return (member: MemberRow): Card => ({
    title: <MemberName member={member} />,
    status: <MemberRole member={member} />,
    facts: [
      { name: t('Cap'), value: <Caps caps={member.caps} />, isWide: true },
      ...(member.email === '' ? [] : [{ name: t('Email'), value: member.email }]),
      { name: t('Joined'), value: <Time seconds={member.created_time} /> },
    ],
  });
}
