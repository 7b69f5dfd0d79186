import { channelStatus } from '@headgate/contract';
import {
  IconActivity,
  IconArrowsSort,
  IconBox,
  IconCopy,
  IconMessage,
  IconPlayerPlay,
  IconPlayerStop,
  IconRoute,
  IconScale,
  IconTag,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useExportAction } from '../../../ui/export/export-action.ts';
import type { RowAction } from '../../../ui/list/column.ts';
import { SelectionBar } from '../../../ui/list/selection-bar.tsx';
import { channelList, exportChannels, type SelectedChannels } from '../channel-queries.ts';
import type { BulkRequest } from './channel-bulk-dialog.tsx';

interface ChannelSelectionBarProps {
  readonly selected: () => SelectedChannels;
  readonly onAsk: (title: string, request: BulkRequest | 'test') => void;
}

/** Actions for the selected channels. */
export function ChannelSelectionBar({ selected, onAsk }: ChannelSelectionBarProps) {
  const { t } = useTranslation();
  const ask = (icon: RowAction['icon'], label: string, request: BulkRequest | 'test', isDanger = false): RowAction => ({
    label,
    icon,
    isDanger,
    onClick: () => onAsk(label, request),
  });
  const actions = [
    ask(IconActivity, t('Test'), 'test'),
    ask(IconArrowsSort, t('Priority'), { kind: 'priority' }),
    ask(IconBox, t('Models'), { kind: 'models' }),
    ask(IconTag, t('Tag'), { kind: 'tag' }),
    ask(IconPlayerPlay, t('Enable'), { change: { kind: 'status', status: channelStatus.enabled } }),
    ask(IconPlayerStop, t('Disable'), { change: { kind: 'status', status: channelStatus.disabled } }),
    ask(IconScale, t('Weight'), { kind: 'weight' }),
    ask(IconUsersGroup, t('Groups'), { kind: 'group' }),
    ask(IconRoute, t('Model mapping'), { kind: 'model_mapping' }),
    ask(IconMessage, t('System prompt'), { kind: 'system_prompt' }),
    ask(IconCopy, t('Copy settings from…'), { kind: 'copy' }),
    useExportAction(channelList, () => exportChannels(selected())),
    ask(IconTrash, t('Delete'), { change: { kind: 'delete' } }, true),
  ];
  return <SelectionBar actions={actions} managed="channel" />;
}
