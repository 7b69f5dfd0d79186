import { type Organization, projectApi, projectStatus } from '@headgate/contract';
import {
  IconChartBar,
  IconGauge,
  IconListDetails,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import type { RowAction } from '../../../ui/list/column.ts';
import { organizationSearch } from '../organization-address.ts';
import { hasPermission, refreshOrganizations } from '../organization-queries.ts';
import { OwnerBudgetsDialog } from '../owner-budgets-dialog.tsx';
import { ProjectDialog } from './project-dialog.tsx';
import type { ProjectRow } from './project-row.ts';

type OpenDialog =
  | { readonly name: 'add' }
  | { readonly name: 'edit'; readonly project: ProjectRow }
  | { readonly name: 'budget'; readonly project: ProjectRow };

/** Row actions of a project, as the caller's role permits. */
export function useProjectActions(organization: Organization) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<OpenDialog>();
  const changes = useProjectChanges(organization);
  const { id } = organization;
  const of = (project: ProjectRow): readonly RowAction[] => {
    const filters = { project: project.id };
    const links = [
      { label: t('Usage'), icon: IconChartBar, to: '/organization', search: organizationSearch(id, 'usage', filters) },
      {
        label: t('Logs'),
        icon: IconListDetails,
        to: '/organization',
        search: organizationSearch(id, 'logs', filters),
      },
    ];
    return [
      ...(hasPermission(organization, 'manage_projects')
        ? [
            {
              label: t('Edit'),
              icon: IconPencil,
              onClick: () => setOpen({ name: 'edit', project }),
              isPrimary: true,
              ifManaged: 'reads' as const,
            },
          ]
        : []),
      ...(hasPermission(organization, 'manage_budgets')
        ? [{ label: t('Set budget'), icon: IconGauge, onClick: () => setOpen({ name: 'budget', project }) }]
        : []),
      ...links,
      ...(hasPermission(organization, 'manage_projects') ? changes(project) : []),
    ];
  };
  const onClosed = () => setOpen(undefined);
  return {
    of,
    add: () => setOpen({ name: 'add' }),
    dialog: open && <OpenedDialog open={open} organization={organization} onClosed={onClosed} />,
  };
}

interface OpenedDialogProps {
  readonly open: OpenDialog;
  readonly organization: Organization;
  readonly onClosed: () => void;
}

function OpenedDialog({ open, organization, onClosed }: OpenedDialogProps) {
  if (open.name === 'budget') {
    const owner = { kind: 'project', id: open.project.id, name: open.project.name } as const;
    return <OwnerBudgetsDialog organization={organization} owner={owner} onClosed={onClosed} />;
  }
  const id = open.name === 'edit' ? open.project.id : undefined;
  return <ProjectDialog organization={organization} id={id} onClosed={onClosed} />;
}

function useProjectChanges({ id }: Organization): (project: ProjectRow) => readonly RowAction[] {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => refreshOrganizations(queries),
  });
  const params = { id };
  const setStatus = (project: number, status: 1 | 2) =>
    run.mutate(() => call(projectApi.update, { params, body: { id: project, status } }));
  return ({ id: project, name, status, tokens }) => {
    const isOn = status === projectStatus.enabled;
    const disable = () =>
      openConfirmation({
        title: t('Disable project {name}?', { name }),
        text: t('Its API tokens stop working until you enable it again.'),
        confirm: t('Disable project'),
        onConfirm: () => setStatus(project, projectStatus.disabled),
      });
    return [
      {
        label: isOn ? t('Disable') : t('Enable'),
        icon: isOn ? IconPlayerStop : IconPlayerPlay,
        onClick: isOn ? disable : () => setStatus(project, projectStatus.enabled),
        ifManaged: 'refused',
      },
      {
        label: t('Delete'),
        icon: IconTrash,
        isDanger: true,
        ifManaged: 'refused',
        // Deleting the project would lift its limits from its API tokens.
        isDisabled: tokens > 0,
        onClick: () =>
          openConfirmation({
            title: t('Delete project {name}?', { name }),
            text: t('Its budgets are deleted too. Logs and statements are kept.'),
            confirm: t('Delete project'),
            onConfirm: () => run.mutate(() => call(projectApi.remove, { params: { id, project } })),
          }),
      },
    ];
  };
}
