import { type Redemption, type RedemptionBulkChange, redemptionStatus, redemptionStatuses } from '@headgate/contract';
import { IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import type { List } from '../../../lib/list/list.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { useExportAction } from '../../../ui/export/export-action.ts';
import type { RowAction } from '../../../ui/list/column.ts';
import { type Selection, useSelection } from '../../../ui/list/selection.ts';
import {
  changeRedemptions,
  exportRedemptions,
  redemptionList,
  type SelectedRedemptions,
  undoRedemptionChanges,
} from '../redemption-queries.ts';

// Loaded lazily, on the first bulk change.
const BulkDialog = lazy(async () => ({ default: (await import('../../../ui/bulk/bulk-dialog.tsx')).BulkDialog }));

interface Asked {
  readonly title: string;
  readonly change: RedemptionBulkChange;
  readonly chosen: SelectedRedemptions;
}

interface RedemptionBulk {
  /** Undefined if the server does not support bulk changes. */
  readonly selection: { readonly of: Selection; readonly actions: readonly RowAction[] } | undefined;
  readonly dialog: ReactNode;
}

/** Bulk actions for the selected codes, and their dialog. */
export function useRedemptionBulk(list: List<Redemption>): RedemptionBulk {
  const { t, label } = useTranslation();
  const { extensions } = useStatus();
  const selection = useSelection(list);
  const [request, setRequest] = useState<Asked>();
  const ask = (icon: RowAction['icon'], title: string, change: RedemptionBulkChange, isDanger = false): RowAction => ({
    label: title,
    icon,
    isDanger,
    onClick: () => setRequest({ title, change, chosen: chosenOf(selection, list) }),
  });
  const actions = [
    ask(IconPlayerStop, t('Disable'), { kind: 'status', status: redemptionStatus.disabled }),
    ask(IconPlayerPlay, t('Enable'), { kind: 'status', status: redemptionStatus.unused }),
    useExportAction(redemptionList, () => exportRedemptions(chosenOf(selection, list))),
    ask(IconTrash, t('Delete'), { kind: 'delete' }, true),
  ];
  const isDeletion = request?.change.kind === 'delete';
  return {
    selection: extensions && list.total !== undefined ? { of: selection, actions } : undefined,
    dialog: request && (
      <Suspense>
        <BulkDialog
          title={request.title}
          changeKey={JSON.stringify([request.chosen, request.change])}
          run={(mode) => changeRedemptions({ chosen: request.chosen, change: request.change, ...mode })}
          undo={undoRedemptionChanges}
          isDanger={isDeletion}
          labels={{
            field: () => t('Status'),
            value: (_, value) => label(redemptionStatuses[Number(value)]?.label ?? value),
          }}
          confirm={(count) =>
            isDeletion ? t('Delete {count} codes', { count }) : t('Change {count} codes', { count })
          }
          onChanged={list.refresh}
          onClosed={() => setRequest(undefined)}
        />
      </Suspense>
    ),
  };
}

function chosenOf(selection: Selection, list: List<Redemption>): SelectedRedemptions {
  if (!selection.isEverything) return { ids: [...selection.ids] };
  const { keyword, status } = list.state;
  return { filter: { keyword, ...(status !== undefined && { status }) }, count: selection.count };
}
