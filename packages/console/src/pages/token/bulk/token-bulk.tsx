import { neverExpires, type Token, tokenStatus } from '@headgate/contract';
import { IconBox, IconCalendar, IconCoins, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import type { List } from '../../../lib/list/list.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { useExportAction } from '../../../ui/export/export-action.ts';
import type { RowAction } from '../../../ui/list/column.ts';
import { type Selection, useSelection } from '../../../ui/list/selection.ts';
import { exportTokens, type SelectedTokens, tokenList } from '../token-queries.ts';
import type { TokenBulkRequest } from './token-bulk-dialog.tsx';

// Loaded with the first bulk change.
const TokenBulkDialog = lazy(async () => ({ default: (await import('./token-bulk-dialog.tsx')).TokenBulkDialog }));

interface Asked {
  readonly title: string;
  readonly request: TokenBulkRequest;
  readonly chosen: SelectedTokens;
}

interface TokenBulk {
  /** Undefined if the server does not support bulk changes. */
  readonly selection: { readonly of: Selection; readonly actions: readonly RowAction[] } | undefined;
  readonly dialog: ReactNode;
}

/** Bulk actions for the selected tokens, and their dialog. */
export function useTokenBulk(list: List<Token>): TokenBulk {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const selection = useSelection(list);
  const [request, setRequest] = useState<Asked>();
  const ask = (icon: RowAction['icon'], title: string, request: TokenBulkRequest, isDanger = false): RowAction => ({
    label: title,
    icon,
    isDanger,
    onClick: () => setRequest({ title, request, chosen: chosenOf(selection, list) }),
  });
  const actions = [
    ask(IconPlayerStop, t('Disable'), { change: { kind: 'status', status: tokenStatus.disabled } }),
    ask(IconPlayerPlay, t('Enable'), { change: { kind: 'status', status: tokenStatus.enabled } }),
    ask(IconCalendar, t('Expiry'), { kind: 'expiry' }),
    ask(IconCoins, t('Quota'), { kind: 'quota' }),
    ask(IconBox, t('Models'), { kind: 'models' }),
    ask(IconCalendar, t('Never expire'), { change: { kind: 'expiry', expired_time: neverExpires } }),
    useExportAction(tokenList, () => exportTokens(chosenOf(selection, list))),
    ask(IconTrash, t('Delete'), { change: { kind: 'delete' } }, true),
  ];
  return {
    selection: extensions && list.total !== undefined ? { of: selection, actions } : undefined,
    dialog: request && (
      <Suspense>
        <TokenBulkDialog {...request} onChanged={list.refresh} onClosed={() => setRequest(undefined)} />
      </Suspense>
    ),
  };
}

function chosenOf(selection: Selection, list: List<Token>): SelectedTokens {
  if (!selection.isEverything) return { ids: [...selection.ids] };
  const { keyword, status } = list.state;
  return { filter: { keyword, ...(status !== undefined && { status }) }, count: selection.count };
}
