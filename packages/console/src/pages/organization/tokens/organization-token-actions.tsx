import { type Organization, type OrganizationToken, organizationTokenApi, tokenStatus } from '@headgate/contract';
import {
  IconArrowLeft,
  IconCopy,
  IconGauge,
  IconKey,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import type { RowAction } from '../../../ui/list/column.ts';
import { splitList } from '../../../ui/token-form/token-form.ts';
import { organizationSearch } from '../organization-address.ts';
import { hasPermission, refreshOrganizations } from '../organization-queries.ts';
import { OwnerBudgetsDialog } from '../owner-budgets-dialog.tsx';
import { canEditToken, canReadKey, readKey } from './organization-token-queries.ts';

const ClientSetupDialog = lazy(async () => ({
  default: (await import('../../../ui/use-with/use-with-dialog.tsx')).ClientSetupDialog,
}));

const secondsPerDay = 86_400;

type Opened =
  | { readonly name: 'budget'; readonly token: OrganizationToken }
  | { readonly name: 'client'; readonly token: OrganizationToken; readonly key: string };

/** Row actions of a token, as the caller's role permits. */
export function useOrganizationTokenActions(organization: Organization) {
  const { t } = useTranslation();
  const self = useUser()?.id;
  const [opened, setOpened] = useState<Opened>();
  const changes = useTokenChanges(organization);
  const { id } = organization;
  const keyActions = (token: OrganizationToken): readonly RowAction[] => [
    {
      label: t('Copy key'),
      icon: IconCopy,
      isPrimary: true,
      onClick: () => changes.run(async () => copyWithMessage(await readKey(id, token.id))),
    },
    {
      label: t('Connect a client'),
      icon: IconTerminal2,
      onClick: () => changes.run(async () => setOpened({ name: 'client', token, key: await readKey(id, token.id) })),
    },
  ];
  const of = (token: OrganizationToken): readonly RowAction[] => [
    ...(canReadKey(organization, token, self) ? keyActions(token) : []),
    ...(canEditToken(organization, token, self)
      ? [
          {
            label: t('Edit'),
            icon: IconPencil,
            to: '/organization',
            search: organizationSearch(id, 'tokens', { edit: token.id }),
          },
        ]
      : []),
    ...(hasPermission(organization, 'manage_budgets')
      ? [{ label: t('Set budget'), icon: IconGauge, onClick: () => setOpened({ name: 'budget', token }) }]
      : []),
    ...(canReadKey(organization, token, self) ? changes.rotation(token) : []),
    ...(canEditToken(organization, token, self) ? changes.of(token, self) : []),
  ];
  const close = () => setOpened(undefined);
  return { of, dialog: opened && <OpenedDialog opened={opened} organization={organization} onClosed={close} /> };
}

interface OpenedDialogProps {
  readonly opened: Opened;
  readonly organization: Organization;
  readonly onClosed: () => void;
}

function OpenedDialog({ opened, organization, onClosed }: OpenedDialogProps) {
  const { t } = useTranslation();
  const { id, name, models } = opened.token;
  if (opened.name === 'budget')
    return <OwnerBudgetsDialog organization={organization} owner={{ kind: 'token', id, name }} onClosed={onClosed} />;
  return (
    <Suspense>
      <ClientSetupDialog
        title={t('Connect a client to {name}', { name })}
        isOpen
        onClose={onClosed}
        apiKey={opened.key}
        models={splitList(models)}
      />
    </Suspense>
  );
}

function useTokenChanges(organization: Organization) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id } = organization;
  const read = useMutation({ mutationFn: (work: () => Promise<unknown>) => work() });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => refreshOrganizations(queries),
  });
  const setStatus = (token: number, status: 1 | 2) =>
    call(organizationTokenApi.update, { params: { id }, body: { id: token, status } });
  const toggle = ({ id: token, status }: OrganizationToken): RowAction => {
    const isOn = status === tokenStatus.enabled;
    return {
      label: isOn ? t('Disable') : t('Enable'),
      icon: isOn ? IconPlayerStop : IconPlayerPlay,
      onClick: () => change.mutate(() => setStatus(token, isOn ? tokenStatus.disabled : tokenStatus.enabled)),
    };
  };
  const of = (token: OrganizationToken, self: number | undefined): readonly RowAction[] => {
    const mayToggle = !token.is_locked || hasPermission(organization, 'manage_tokens');
    return [
      ...(mayToggle ? [toggle(token)] : []),
      ...(token.creator_id === self && hasPermission(organization, 'use_tokens')
        ? [{ label: t('Move to own account'), icon: IconArrowLeft, onClick: () => moveBack(token) }]
        : []),
      { label: t('Delete'), icon: IconTrash, isDanger: true, onClick: () => remove(token) },
    ];
  };
  const moveBack = ({ id: token, name }: OrganizationToken) =>
    openConfirmation({
      title: t('Move token {name} to your account?', { name }),
      text: t('Its key stays the same. New requests are charged to your own balance.'),
      confirm: t('Move token'),
      onConfirm: () =>
        change.mutate(() => call(organizationTokenApi.move, { params: { id: token }, body: { organization_id: 0 } })),
    });
  const remove = ({ id: token, name }: OrganizationToken) =>
    openConfirmation({
      title: t('Delete token {name}?', { name }),
      text: t('Clients using this key stop working immediately. This cannot be undone.'),
      confirm: t('Delete token'),
      onConfirm: () => change.mutate(() => call(organizationTokenApi.remove, { params: { id, token } })),
    });
  return { run: read.mutate, rotation: useRotation(id, change.mutate), of };
}

/** Key rotation, after confirmation. */
function useRotation(id: number, run: (work: () => Promise<unknown>) => void) {
  const { t } = useTranslation();
  const rotate = ({ id: token, name }: OrganizationToken, grace: number) =>
    openConfirmation({
      title: t('Rotate the key of {name}?', { name }),
      text: t('Clients must switch to the new key. This cannot be undone.'),
      confirm: t('Rotate key'),
      onConfirm: () => run(() => call(organizationTokenApi.rotate, { params: { id, token }, body: { grace } })),
    });
  return (token: OrganizationToken): readonly RowAction[] => [
    {
      label: t('Rotate key'),
      icon: IconKey,
      items: [
        {
          label: t('The old key stops working immediately'),
          icon: IconKey,
          onClick: () => rotate(token, 0),
        },
        {
          label: t('The old key works for 1 day'),
          icon: IconKey,
          onClick: () => rotate(token, secondsPerDay),
        },
      ],
    },
  ];
}
