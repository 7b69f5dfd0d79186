import type { Channel } from '@headgate/contract';
import { ActionIcon, Button, Loader, Menu, Tooltip } from '@mantine/core';
import { IconActivity, IconDots, IconRefresh, IconReportMedical, IconTags, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useListCache } from '../../lib/list/list.ts';
import { query } from '../../lib/page/address.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { channelList, removeDisabledChannels } from './channel-queries.ts';
import type { TestRun } from './test-run.ts';

interface ChannelToolsProps {
  readonly onRefresh: () => void;
  readonly run: TestRun;
  /** True if any channel has a tag. */
  readonly hasTags: boolean;
  /** Additional buttons before the menu. */
  readonly children?: ReactNode;
}

/** Bulk actions for all channels. */
export function ChannelTools({ onRefresh, run, hasTags, children }: ChannelToolsProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { start, progress, isStarting } = run;
  return (
    <>
      <Button
        variant="default"
        px="sm"
        leftSection={progress ? <Loader size={14} aria-hidden /> : <IconActivity size={16} stroke={1.6} aria-hidden />}
        loading={isStarting}
        disabled={progress !== undefined}
        onClick={() => start('all')}
      >
        {progress ? t('Tested {done} of {total}', { done: progress.done, total: progress.total }) : t('Test all')}
      </Button>
      {!isPhone && (
        <Tooltip label={t('Refresh')}>
          <ActionIcon variant="default" size={36} aria-label={t('Refresh')} onClick={onRefresh}>
            <IconRefresh size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {children}
      <MoreMenu onRefresh={onRefresh} run={run} hasTags={hasTags} />
    </>
  );
}

function MoreMenu({ onRefresh, run, hasTags }: Omit<ChannelToolsProps, 'children'>) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const removal = useDisabledRemoval();
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('More actions for all channels')}>
          <IconDots size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isPhone && (
          <Menu.Item leftSection={<IconRefresh size={16} stroke={1.6} aria-hidden />} onClick={onRefresh}>
            {t('Refresh')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconActivity size={16} stroke={1.6} aria-hidden />}
          disabled={run.progress !== undefined}
          onClick={() => run.start('disabled')}
        >
          {t('Test disabled channels')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconReportMedical size={16} stroke={1.6} aria-hidden />}
          onClick={() => run.show(true)}
        >
          {t('Last test results')}
        </Menu.Item>
        {hasTags && (
          <Menu.Item
            component={Link}
            to="/channel"
            search={query({ by: 'tag' })}
            leftSection={<IconTags size={16} stroke={1.6} aria-hidden />}
          >
            {t('By tag')}
          </Menu.Item>
        )}
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
          onClick={() =>
            openConfirmation({
              title: t('Delete all disabled channels?'),
              text: t(
                'All manually and automatically disabled channels are deleted with their keys. This cannot be undone.',
              ),
              confirm: t('Delete disabled channels'),
              onConfirm: () => removal.mutate(),
            })
          }
        >
          {t('Delete disabled channels')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useDisabledRemoval() {
  const { t } = useTranslation();
  const cache = useListCache<Channel>(channelList);
  return useMutation({
    mutationFn: () => removeDisabledChannels(),
    onSuccess: (count) => showMessage('success', t('All disabled channels deleted, {n} in total', { n: count })),
    onSettled: cache.refresh,
  });
}
