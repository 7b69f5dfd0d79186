import { type Channel, channelStatus } from '@headgate/contract';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { useUrlAction } from '../../../lib/api/url-action.ts';
import type { List } from '../../../lib/list/list.ts';
import { useStatus } from '../../../lib/page/status.ts';
import type { ListSelection } from '../../../ui/list/list-props.ts';
import { useSelection } from '../../../ui/list/selection.ts';
import type { ChannelFilters, SelectedChannels } from '../channel-queries.ts';
import type { BulkRequest } from './channel-bulk-dialog.tsx';

// Lazy-loaded with the first selected row and the first bulk change.
const ChannelSelectionBar = lazy(async () => ({
  default: (await import('./channel-selection-bar.tsx')).ChannelSelectionBar,
}));
const ChannelBulkDialog = lazy(async () => ({
  default: (await import('./channel-bulk-dialog.tsx')).ChannelBulkDialog,
}));
const ChannelTestsDialog = lazy(async () => ({
  default: (await import('./channel-tests-dialog.tsx')).ChannelTestsDialog,
}));

type OpenBulkDialog =
  | { readonly title: string; readonly request: BulkRequest }
  | { readonly title: string; readonly request: 'test' };

/** Bulk changes that the URL can request for all matching channels. */
const bulkRequestsByUrl: Readonly<Record<string, { readonly label: TextKey; readonly request: BulkRequest }>> = {
  priority: { label: 'Priority', request: { kind: 'priority' } },
  models: { label: 'Models', request: { kind: 'models' } },
  weight: { label: 'Weight', request: { kind: 'weight' } },
  enable: { label: 'Enable', request: { change: { kind: 'status', status: channelStatus.enabled } } },
  disable: { label: 'Disable', request: { change: { kind: 'status', status: channelStatus.disabled } } },
};

interface ChannelBulk {
  /** Undefined if the server does not support bulk changes. */
  readonly selection: ListSelection | undefined;
  readonly dialog: ReactNode;
}

/** Bulk actions for the selected channels, and their dialog. */
export function useChannelBulk(list: List<Channel>, filters: ChannelFilters): ChannelBulk {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const selection = useSelection(list);
  const [openDialog, setOpenDialog] = useState<OpenBulkDialog>();
  const [chosen, setChosen] = useState<SelectedChannels>({ ids: [] });
  const matching = (count: number): SelectedChannels => {
    const { keyword, status } = list.state;
    return { filter: { ...filters, keyword, ...(status !== undefined && { status }) }, count };
  };
  const selected = (): SelectedChannels =>
    selection.isEverything ? matching(selection.count) : { ids: [...selection.ids] };
  const ask = (title: string, request: OpenBulkDialog['request']) => {
    setChosen(selected());
    setOpenDialog({ title, request } as OpenBulkDialog);
  };
  const { total = 0 } = list;
  // Waits while the rows of the previous URL are still shown.
  useUrlAction(extensions && total > 0 && !list.isLoading && !list.isRefreshing, (name) => {
    const order = bulkRequestsByUrl[name];
    if (!order) return;
    setChosen(matching(total));
    setOpenDialog({ title: t(order.label), request: order.request });
  });
  const shared = { chosen, onClosed: () => setOpenDialog(undefined), onChanged: list.refresh };
  return {
    selection:
      extensions && list.total !== undefined
        ? { of: selection, bar: <ChannelSelectionBar selected={selected} onAsk={ask} /> }
        : undefined,
    dialog: openDialog && (
      <Suspense>
        {openDialog.request === 'test' ? (
          <ChannelTestsDialog {...shared} />
        ) : (
          <ChannelBulkDialog {...shared} title={openDialog.title} request={openDialog.request} />
        )}
      </Suspense>
    ),
  };
}
