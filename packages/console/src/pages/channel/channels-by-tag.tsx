import { type Channel, channelStatus } from '@headgate/contract';
import { Anchor, Badge, Button, Card, Group, Menu, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots, IconList } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import { useManaged } from '../../lib/page/managed.ts';
import type { Column } from '../../ui/list/column.ts';
import { ManagedName } from '../../ui/list/managed-name.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { type BulkRequest, ChannelBulkDialog } from './bulk/channel-bulk-dialog.tsx';
import { channelList, channelTagsQuery, taggedChannelsQuery } from './channel-queries.ts';
import styles from './channels-by-tag.module.css';

const TagRulesDialog = lazy(async () => ({ default: (await import('./rules/tag-rules-dialog.tsx')).TagRulesDialog }));

interface Tagged {
  readonly tag: string;
  readonly count: number;
  readonly enabled: number;
}

type Columns = readonly Column<Channel>[];

interface OpenBulkDialog {
  readonly title: string;
  readonly request: BulkRequest;
  readonly tagged: Tagged;
}

/** Channels grouped by tag. All channels with a tag can be enabled, disabled and weighted together. */
export function ChannelsByTag({ columns }: { readonly columns: Columns }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: tags, error, refetch } = useQuery(channelTagsQuery);
  const [openDialog, setOpenDialog] = useState<OpenBulkDialog>();
  const [ruledTag, setRuledTag] = useState<string>();
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={1}>{t('Channels by tag')}</Title>
        <Button
          component={Link}
          to="/channel"
          variant="default"
          leftSection={<IconList size={16} stroke={1.6} aria-hidden />}
        >
          {t('Show as a list')}
        </Button>
      </Group>
      {error && <LoadFailed title={t('The list could not be loaded')} error={error} onRetry={refetch} />}
      {!tags && !error && <Skeleton height={200} />}
      {tags?.length === 0 && (
        <Text c="dimmed">{t('No channels have tags. Select channels in the list to tag them.')}</Text>
      )}
      {tags?.map((tagged) => (
        <TagGroup
          key={tagged.tag}
          tagged={tagged}
          columns={columns}
          onAsk={(title, request) => setOpenDialog({ title, request, tagged })}
          onRules={() => setRuledTag(tagged.tag)}
        />
      ))}
      {ruledTag !== undefined && (
        <Suspense>
          <TagRulesDialog tag={ruledTag} onClosed={() => setRuledTag(undefined)} />
        </Suspense>
      )}
      {openDialog && (
        <ChannelBulkDialog
          title={`${openDialog.tagged.tag}: ${openDialog.title}`}
          request={openDialog.request}
          chosen={{ filter: { keyword: '', tag: openDialog.tagged.tag }, count: openDialog.tagged.count }}
          onChanged={() => void queries.invalidateQueries({ queryKey: [channelList] })}
          onClosed={() => setOpenDialog(undefined)}
        />
      )}
    </Stack>
  );
}

interface TagGroupProps {
  readonly tagged: Tagged;
  readonly columns: Columns;
  readonly onAsk: (title: string, request: BulkRequest) => void;
  readonly onRules: () => void;
}

function TagGroup({ tagged: { tag, count, enabled }, columns, onAsk, onRules }: TagGroupProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Card withBorder padding={0} component="section" aria-label={tag}>
      <div className={styles['head']}>
        <UnstyledButton className={styles['fold'] ?? ''} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={16} stroke={1.6} aria-hidden />
          <span className={styles['tag']}>{tag}</span>
          <Badge variant="light" color="gray" radius="sm" tt="none">
            {t('{enabled} of {count} enabled', { enabled, count })}
          </Badge>
        </UnstyledButton>
        <TagActions tag={tag} onAsk={onAsk} onRules={onRules} />
      </div>
      {isOpen && <TagRows tag={tag} columns={columns} />}
    </Card>
  );
}

function TagActions({ tag, onAsk, onRules }: { readonly tag: string } & Pick<TagGroupProps, 'onAsk' | 'onRules'>) {
  const { t } = useTranslation();
  const status = (wanted: 1 | 2): BulkRequest => ({ change: { kind: 'status', status: wanted } });
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="subtle" onClick={() => onAsk(t('Priority'), { kind: 'priority' })}>
        {t('Priority')}
      </Button>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={t('More actions for {name}', { name: tag })}
          >
            <IconDots size={16} stroke={1.6} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAsk(t('Enable'), status(channelStatus.enabled))}>{t('Enable')}</Menu.Item>
          <Menu.Item onClick={() => onAsk(t('Disable'), status(channelStatus.disabled))}>{t('Disable')}</Menu.Item>
          <Menu.Item onClick={() => onAsk(t('Weight'), { kind: 'weight' })}>{t('Weight')}</Menu.Item>
          <Menu.Item onClick={() => onAsk(t('Models'), { kind: 'models' })}>{t('Models')}</Menu.Item>
          <Menu.Item onClick={() => onAsk(t('Tag'), { kind: 'tag' })}>{t('Tag')}</Menu.Item>
          <Menu.Item onClick={onRules}>{t('Rules')}</Menu.Item>
          <Menu.Item component={Link} to="/channel" search={query({ tag })}>
            {t('Show as a list')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

const shownColumns: readonly string[] = ['name', 'type', 'status', 'response_time', 'priority', 'weight'];

function TagRows({ tag, columns }: { readonly tag: string; readonly columns: Columns }) {
  const { t } = useTranslation();
  const { data } = useQuery(taggedChannelsQuery(tag));
  const isManaged = useManaged('channel');
  const shown = columns.filter(({ id }) => shownColumns.includes(id));
  if (!data) return <Skeleton height={80} />;
  const more = (data.total ?? data.rows.length) - data.rows.length;
  return (
    <div className={styles['rows']}>
      <table>
        <thead>
          <tr>
            {shown.map(({ id, title }) => (
              <th key={id} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((channel) => (
            <tr key={channel.id}>
              {shown.map(({ id, title, isName, cell }) => (
                <td key={id} data-title={title}>
                  {isName && isManaged(channel.id) ? <ManagedName>{cell(channel)}</ManagedName> : cell(channel)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Anchor component={Link} to="/channel" search={query({ tag })} size="sm" px="md">
          {t('and {count} more', { count: more })}
        </Anchor>
      )}
    </div>
  );
}
