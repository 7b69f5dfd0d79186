import { type Token, tokenKeyPrefix, tokenStatus } from '@headgate/contract';
import {
  IconCopy,
  IconExternalLink,
  IconMessage,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useServerAddress, useStatus } from '../../lib/page/status.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import type { RowAction } from '../../ui/list/column.ts';
import { splitList } from '../../ui/token-form/token-form.ts';
import { clientLink, clients } from './client-links.ts';
import { removeToken, setTokenStatus, tokenList } from './token-queries.ts';
import { useRotation } from './token-rotation.ts';

const UseWithDialog = lazy(async () => ({
  default: (await import('../../ui/use-with/use-with-dialog.tsx')).ClientSetupDialog,
}));

const keyOf = (token: Token) => tokenKeyPrefix + token.key;

/** Row actions of a token; `showForCopying` receives a text that could not be copied. */
export function useTokenActions(showForCopying: (text: string) => void) {
  const { t } = useTranslation();
  const useWith = useUseWithDialog();
  const toggle = useToggle();
  const remove = useRemove();
  const rotation = useRotation();
  const copy = (token: Token) => void copyWithMessage(keyOf(token), showForCopying);
  const keyActions = useKeyActions({ copy, openSetup: useWith.open, showForCopying });
  const of = (token: Token): readonly RowAction[] => {
    const isOn = token.status === tokenStatus.enabled;
    return [
      // The key of an imported token is unknown until its first use.
      ...(token.key === '' ? [] : keyActions(token)),
      { label: t('Edit'), icon: IconPencil, to: `/token/edit/${token.id}` },
      ...rotation(token),
      // Only an admin can enable a locked token.
      ...(token.is_locked
        ? []
        : [
            {
              label: isOn ? t('Disable') : t('Enable'),
              icon: isOn ? IconPlayerStop : IconPlayerPlay,
              onClick: () => toggle.mutate(token),
            },
          ]),
      {
        label: t('Delete'),
        icon: IconTrash,
        isDanger: true,
        onClick: () =>
          openConfirmation({
            title: t('Delete token {name}?', { name: token.name }),
            text: t('Clients using this key stop working immediately. This cannot be undone.'),
            confirm: t('Delete token'),
            onConfirm: () => remove.mutate(token),
          }),
      },
    ];
  };
  return { of, copy, dialog: useWith.dialog };
}

interface KeyActionsContext {
  readonly copy: (token: Token) => void;
  readonly openSetup: (token: Token) => void;
  readonly showForCopying: (text: string) => void;
}

/** Row actions that need the key of the token. */
function useKeyActions({ copy, openSetup, showForCopying }: KeyActionsContext) {
  const { t } = useTranslation();
  const serverAddress = useServerAddress();
  const { chat_link: chatLink } = useStatus();
  const linkTo = (token: Token, client: (typeof clients)[number]['id']) =>
    clientLink(client, { key: keyOf(token), serverAddress, chatLink });
  return (token: Token): readonly RowAction[] => [
    { label: t('Copy key'), icon: IconCopy, onClick: () => copy(token), isPrimary: true },
    { label: t('Connect a client'), icon: IconTerminal2, onClick: () => openSetup(token) },
    {
      label: t('Copy for'),
      icon: IconCopy,
      items: clients.map(({ id, name }) => ({
        label: name,
        icon: IconCopy,
        onClick: () => void copyWithMessage(linkTo(token, id), showForCopying),
      })),
    },
    {
      label: t('Open chat in'),
      icon: IconMessage,
      items: clients.map(({ id, name }) => ({
        label: name,
        icon: IconExternalLink,
        onClick: () => void window.open(linkTo(token, id), '_blank', 'noopener'),
      })),
    },
  ];
}

/** Setup dialog of a token, loaded on first use. */
function useUseWithDialog() {
  const { t } = useTranslation();
  const [token, setToken] = useState<Token>();
  const [isOpen, setOpen] = useState(false);
  const open = (next: Token) => {
    setToken(next);
    setOpen(true);
  };
  const dialog = token && (
    <Suspense>
      <UseWithDialog
        title={t('Connect a client to {name}', { name: token.name })}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        apiKey={keyOf(token)}
        models={splitList(token.models)}
      />
    </Suspense>
  );
  return { open, dialog };
}

/** Optimistic toggle; rolled back with an error message if the server rejects it. */
function useToggle() {
  const { t } = useTranslation();
  const cache = useListCache<Token>(tokenList);
  const opposite = ({ status }: Token) => (status === tokenStatus.enabled ? tokenStatus.disabled : tokenStatus.enabled);
  return useMutation({
    mutationFn: (token: Token) => setTokenStatus(token.id, opposite(token)),
    onMutate: (token) => cache.patch(token.id, { status: opposite(token) }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onError: (_, token) => cache.patch(token.id, { status: token.status }),
    onSettled: cache.refresh,
  });
}

function useRemove() {
  const { t } = useTranslation();
  const cache = useListCache<Token>(tokenList);
  return useMutation({
    mutationFn: (token: Token) => removeToken(token.id),
    onSuccess: (_, token) => {
      cache.remove(token.id);
      showMessage('success', t('Operation completed successfully'));
    },
    onSettled: cache.refresh,
  });
}
