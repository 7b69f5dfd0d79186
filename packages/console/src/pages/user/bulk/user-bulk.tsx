import { type User, userStatus } from '@headgate/contract';
import { IconCoins, IconKeyOff, IconPlayerPlay, IconPlayerStop, IconUsersGroup } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import type { List } from '../../../lib/list/list.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { useExportAction } from '../../../ui/export/export-action.ts';
import type { RowAction } from '../../../ui/list/column.ts';
import { type Selection, useSelection } from '../../../ui/list/selection.ts';
import { exportUsers, type SelectedUsers, type UserFilters, userList } from '../user-queries.ts';
import type { UserBulkRequest } from './user-bulk-dialog.tsx';

// Loaded with the first bulk change.
const UserBulkDialog = lazy(async () => ({ default: (await import('./user-bulk-dialog.tsx')).UserBulkDialog }));

interface UserBulk {
  /** Undefined if the server does not support bulk changes. */
  readonly selection: { readonly of: Selection; readonly actions: readonly RowAction[] } | undefined;
  readonly dialog: ReactNode;
}

interface Asked {
  readonly title: string;
  readonly request: UserBulkRequest;
  readonly chosen: SelectedUsers;
}

/** Bulk actions for the selected users, and their dialog. */
export function useUserBulk(list: List<User>, filters: UserFilters): UserBulk {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const selection = useSelection(list);
  const [request, setRequest] = useState<Asked>();
  const ask = (icon: RowAction['icon'], title: string, request: UserBulkRequest): RowAction => ({
    label: title,
    icon,
    onClick: () => setRequest({ title, request, chosen: chosenOf(selection, list, filters) }),
  });
  const actions = [
    ask(IconUsersGroup, t('Group'), { kind: 'group' }),
    ask(IconCoins, t('Add quota'), { kind: 'quota' }),
    ask(IconKeyOff, t('Disable tokens'), { change: { kind: 'tokens_off' } }),
    ask(IconPlayerStop, t('Ban'), { change: { kind: 'status', status: userStatus.disabled } }),
    ask(IconPlayerPlay, t('Activate'), { change: { kind: 'status', status: userStatus.enabled } }),
    useExportAction(userList, () => exportUsers(chosenOf(selection, list, filters))),
  ];
  return {
    selection: extensions && list.total !== undefined ? { of: selection, actions } : undefined,
    dialog: request && (
      <Suspense>
        <UserBulkDialog {...request} onChanged={list.refresh} onClosed={() => setRequest(undefined)} />
      </Suspense>
    ),
  };
}

function chosenOf(selection: Selection, list: List<User>, filters: UserFilters): SelectedUsers {
  if (!selection.isEverything) return { ids: [...selection.ids] };
  const { keyword, status } = list.state;
  return { filter: { ...filters, keyword, ...(status !== undefined && { status }) }, count: selection.count };
}
