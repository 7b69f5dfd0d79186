import { type Channel, channelStatus } from '@headgate/contract';
import { IconActivity, IconCopyPlus, IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import type { RowAction } from '../../ui/list/column.ts';
import { useRemove, useRunningTests, useTest, useToggleChannelStatus } from './channel-changes.ts';
import type { TestModels } from './test-models.ts';

/** Row actions of a channel. */
export function useChannelActions(testModels: TestModels) {
  const { t } = useTranslation();
  const toggle = useToggleChannelStatus();
  const remove = useRemove();
  const test = useTest();
  const tested = useRunningTests();
  return (channel: Channel): readonly RowAction[] => {
    const isOn = channel.status === channelStatus.enabled;
    return [
      {
        label: t('Test'),
        icon: IconActivity,
        isPrimary: true,
        isBusy: tested.includes(channel.id),
        onClick: () => test.mutate({ channel, model: testModels.of(channel) }),
      },
      { label: t('Edit'), icon: IconPencil, to: `/channel/edit/${channel.id}`, ifManaged: 'reads' },
      { label: t('Clone'), icon: IconCopyPlus, to: '/channel/add', search: { from: channel.id } },
      {
        label: isOn ? t('Disable') : t('Enable'),
        icon: isOn ? IconPlayerStop : IconPlayerPlay,
        ifManaged: 'refused',
        onClick: () => toggle.mutate(channel),
      },
      {
        label: t('Delete'),
        icon: IconTrash,
        isDanger: true,
        ifManaged: 'refused',
        onClick: () =>
          openConfirmation({
            title: t('Delete channel {name}?', { name: channel.name || `#${channel.id}` }),
            text: t('Its keys are deleted too, and requests go to other channels. This cannot be undone.'),
            confirm: t('Delete channel'),
            onConfirm: () => remove.mutate(channel),
          }),
      },
    ];
  };
}
