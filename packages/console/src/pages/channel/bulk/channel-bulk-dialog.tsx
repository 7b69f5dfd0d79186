import type { ChannelBulkChange } from '@headgate/contract';
import { useState } from 'react';
import { type Translate, useTranslation } from '../../../i18n/translate.ts';
import { BulkDialog } from '../../../ui/bulk/bulk-dialog.tsx';
import { changeChannels, type SelectedChannels, undoChannelChanges } from '../channel-queries.ts';
import { type BulkKind, changeOf, emptyDraft } from './channel-bulk-change.ts';
import { BulkFields } from './channel-bulk-fields.tsx';
import { useFieldLabels } from './channel-bulk-labels.ts';

/** A kind of change that needs input, or a complete change. */
export type BulkRequest =
  | { readonly kind: Exclude<BulkKind, 'status' | 'delete'> }
  | { readonly change: ChannelBulkChange };

interface ChannelBulkDialogProps {
  readonly title: string;
  readonly request: BulkRequest;
  readonly chosen: SelectedChannels;
  readonly onChanged: () => void;
  readonly onClosed: () => void;
}

export function ChannelBulkDialog({ title, request, chosen, onChanged, onClosed }: ChannelBulkDialogProps) {
  const { t } = useTranslation();
  const labels = useFieldLabels();
  const [draft, setDraft] = useState(emptyDraft);
  const change = 'change' in request ? request.change : changeOf(request.kind, draft);
  const isDeletion = change?.kind === 'delete';
  return (
    <BulkDialog
      title={title}
      changeKey={change && JSON.stringify([chosen, change])}
      run={(mode) =>
        change ? changeChannels({ chosen, change, ...mode }) : Promise.reject(new Error('nothing is chosen'))
      }
      undo={undoChannelChanges}
      labels={labels}
      isDanger={isDeletion}
      confirm={(count) => confirmLabel(t, count, isDeletion)}
      onChanged={onChanged}
      onClosed={onClosed}
    >
      {'kind' in request && (
        <BulkFields
          kind={request.kind}
          draft={draft}
          onChange={(next) => setDraft((before) => ({ ...before, ...next }))}
        />
      )}
    </BulkDialog>
  );
}

function confirmLabel(t: Translate, count: number, isDeletion: boolean): string {
  if (count === 1) return isDeletion ? t('Delete 1 channel') : t('Change 1 channel');
  return isDeletion ? t('Delete {count} channels', { count }) : t('Change {count} channels', { count });
}
