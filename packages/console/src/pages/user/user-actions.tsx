import { isRoot, type ManageAction, type User, userStatus } from '@headgate/contract';
import {
  IconArrowDown,
  IconArrowUp,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconShieldOff,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import type { RowAction } from '../../ui/list/column.ts';
import { manageUser, resetSecondFactor, userList } from './user-queries.ts';

/** Row actions of a user; for a super admin, only the form. */
export function useUserActions(): (user: User) => readonly RowAction[] {
  const { t } = useTranslation();
  const me = useUser();
  const { extensions } = useStatus();
  const manage = useManage();
  const resetAction = useResetAction();
  return (user) => {
    const isOn = user.status === userStatus.enabled;
    const act = (action: ManageAction) => ({
      ifManaged: 'refused' as const,
      isDisabled: isRoot(user),
      onClick: () => manage.mutate({ user, action }),
    });
    return [
      { label: t('Edit'), icon: IconPencil, to: formAddress(user, me), isPrimary: true },
      ...(extensions && user.role < (me?.role ?? 0)
        ? [{ label: t('View details'), icon: IconUser, to: `/user/view/${user.id}` }]
        : []),
      { label: t('Promote'), icon: IconArrowUp, ...act('promote') },
      { label: t('Demote'), icon: IconArrowDown, ...act('demote') },
      isOn
        ? { label: t('Disable'), icon: IconPlayerStop, ...act('disable') }
        : { label: t('Enable'), icon: IconPlayerPlay, ...act('enable') },
      ...(extensions ? [resetAction(user)] : []),
      {
        label: t('Delete'),
        icon: IconTrash,
        isDanger: true,
        isDisabled: isRoot(user),
        ifManaged: 'refused',
        onClick: () =>
          openConfirmation({
            title: t('Delete user {name}?', { name: user.username }),
            text: t('The account and its tokens stop working immediately. This cannot be undone.'),
            confirm: t('Delete user'),
            onConfirm: () => manage.mutate({ user, action: 'delete' }),
          }),
      },
    ];
  };
}

/**
 * Removes the second factor of a user who lost their phone. Hidden for the admin's own account, where a code is
 * required.
 */
function useResetAction(): (user: User) => RowAction {
  const { t } = useTranslation();
  const me = useUser();
  const reset = useMutation({
    mutationFn: resetSecondFactor,
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
  });
  return (user) => ({
    label: t('Reset second factor'),
    icon: IconShieldOff,
    isDisabled: user.role >= (me?.role ?? 0),
    onClick: () =>
      openConfirmation({
        title: t('Reset second factor of {name}?', { name: user.username }),
        text: t(
          'Two-step login is turned off, all passkeys are removed, and the user is logged out on all devices. If the user has no other login method, set a new password for them.',
        ),
        confirm: t('Reset second factor'),
        onConfirm: () => reset.mutate(user.id),
      }),
  });
}

/** Only root may open its own row as an admin; others use the profile. */
const formAddress = (user: User, me: ReturnType<typeof useUser>) =>
  user.id === me?.id ? '/user/edit' : `/user/edit/${user.id}`;

interface Managed {
  readonly user: User;
  readonly action: ManageAction;
}

/** Optimistic status of a toggle. */
const expected: Readonly<Partial<Record<ManageAction, Pick<User, 'status'>>>> = {
  enable: { status: userStatus.enabled },
  disable: { status: userStatus.disabled },
};

/** The row is updated from the response and stays in place, so that a mistake can be undone immediately. */
function useManage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const cache = useListCache<User>(userList);
  return useMutation({
    mutationFn: ({ user, action }: Managed) => manageUser(user.username, action),
    onMutate: ({ user, action }) => cache.patch(user.id, expected[action] ?? {}),
    onSuccess: async (now, { user, action }) => {
      showMessage('success', t('Operation completed successfully'));
      if (action === 'delete') cache.remove(user.id);
      if (action === 'delete' || !now) await cache.refresh();
      else {
        cache.patch(user.id, now);
        await queries.invalidateQueries({ queryKey: [userList, 'counts'] });
      }
    },
    onError: (_, { user }) => cache.patch(user.id, { status: user.status, role: user.role }),
  });
}
