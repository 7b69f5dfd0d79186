import { type User, userStatuses } from '@headgate/contract';
import { lazy } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList } from '../../lib/list/list.ts';
import { useListFilters } from '../../lib/list/list-filters.ts';
import { filterParameters } from '../../lib/list/list-state.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ListExport, ListExportProgress } from '../../ui/export/list-export.tsx';
import { GroupLabels } from '../../ui/group-labels.tsx';
import type { Card } from '../../ui/list/column.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { useUserBulk } from './bulk/user-bulk.tsx';
import { useUserActions } from './user-actions.tsx';
import { RoleLabel, UserName, useUserColumns } from './user-columns.tsx';
import { countUsers, exportUsers, readUsers, userFilterNames, userList } from './user-queries.ts';

// Loaded after the rows.
const UserFilterBar = lazy(async () => ({ default: (await import('./user-filter-bar.tsx')).UserFilterBar }));

export function UserListPage() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const control = useListFilters(userFilterNames);
  const { filters } = control;
  const list = useList<User>({
    name: userList,
    read: (state, signal) => readUsers(state, filters, signal),
    counts: countUsers,
    dependencies: filters,
  });
  const { selection, dialog } = useUserBulk(list, filters);
  const actions = useUserActions();
  const columns = useUserColumns(list.rows);
  return (
    <ListPage
      title={t('Users')}
      list={list}
      managed="user"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ username }) => username}
      actions={actions}
      statuses={userStatuses}
      searchLabel={t('Search by ID, name and email')}
      orders={[
        { value: '', label: t('Default order') },
        { value: 'quota', label: t('Remaining quota') },
        { value: 'used_quota', label: t('Used quota') },
        { value: 'request_count', label: t('Request count') },
      ]}
      customFilters={control}
      filters={
        extensions && {
          list: userList,
          count: Object.keys(filters).length,
          lines: 2,
          bar: <UserFilterBar control={control} />,
        }
      }
      selection={selection}
      tools={
        extensions && (
          <ListExport
            list={userList}
            isEmpty={list.rows.length === 0}
            ask={exportUsers({ filter: { ...filters, ...filterParameters(list.state) } })}
          />
        )
      }
      add={{ label: t('Add user'), to: '/user/add' }}
      emptyText={t('No users yet')}
      card={useUserCard()}
    >
      <ListExportProgress list={userList} />
      {dialog}
    </ListPage>
  );
}

/** Phone card of a user. */
function useUserCard() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (user: User): Card => ({
    title: <UserName user={user} />,
    status: <StatusDot status={user.status} statuses={userStatuses} />,
    facts: [
      { name: t('Remaining'), value: format(user.quota) },
      { name: t('Spent'), value: format(user.used_quota) },
      { name: t('Requests'), value: formatNumber(user.request_count) },
      { name: t('Role'), value: <RoleLabel role={user.role} />, isPlain: true },
      { name: t('Group'), value: <GroupLabels groups={user.group} isPlain />, isPlain: true },
      { name: t('ID'), value: user.id },
    ],
  });
}
