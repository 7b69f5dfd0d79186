import { type User, userStatuses } from '@headgate/contract';
import { Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconCoins, IconListDetails, IconPencil, IconReceipt } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { query } from '../../../lib/page/address.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { Breadcrumb } from '../../../ui/breadcrumb.tsx';
import { userEffectiveLimitsQuery } from '../../../ui/effective-limits/effective-limits-queries.ts';
import { EffectiveLimitsSection } from '../../../ui/effective-limits/effective-limits-section.tsx';
import { FormLoading } from '../../../ui/form/form-page.tsx';
import { GroupLabels } from '../../../ui/group-labels.tsx';
import { ManagedBadge } from '../../../ui/managed/managed-row.tsx';
import { PageActions } from '../../../ui/page-actions.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { UserBulkDialog } from '../bulk/user-bulk-dialog.tsx';
import { RoleLabel } from '../user-columns.tsx';
import { userList, userModelsQuery, userQuery } from '../user-queries.ts';
import { UserSessions } from './user-sessions.tsx';
import { UserSpend } from './user-spend.tsx';
import { UserTokens } from './user-tokens.tsx';

const UserPayloadLogging = lazy(async () => ({
  default: (await import('./user-payload-logging.tsx')).UserPayloadLogging,
}));

/** Overview of one user for admins, with actions. */
export function UserPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data: user, error, refetch } = useQuery(userQuery(Number(id)));
  if (!user) return <FormLoading title={t('User')} error={error} onRetry={() => void refetch()} />;
  return <Parts user={user} />;
}

function Parts({ user }: { readonly user: User }) {
  const { extensions } = useStatus();
  return (
    <Stack gap="lg">
      <Head user={user} />
      <Facts user={user} />
      <EffectiveLimits user={user} />
      <UserTokens user={user} />
      {extensions && (
        <Suspense>
          <UserPayloadLogging user={user} />
        </Suspense>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <UserSpend user={user} />
        <Models user={user} />
      </SimpleGrid>
      <UserSessions user={user} />
    </Stack>
  );
}

function EffectiveLimits({ user: { id } }: { readonly user: User }) {
  const { data, isError } = useQuery(userEffectiveLimitsQuery(id));
  return <EffectiveLimitsSection on={{ kind: 'user', id }} effective={data} isFailed={isError} isAdmin />;
}

function Head({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const isManaged = useManaged('user')(user.id);
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Breadcrumb current={user.username} />
        <Group gap="sm">
          <Title order={1}>{user.username}</Title>
          {isManaged && <ManagedBadge isLong />}
        </Group>
        <Text c="dimmed">{[user.display_name, user.email].filter(Boolean).join(' · ')}</Text>
      </div>
      <PageActions>
        <Button
          component={Link}
          to="/log"
          search={query({ username: user.username })}
          variant="default"
          leftSection={<IconListDetails size={16} stroke={1.6} aria-hidden />}
        >
          {t('Logs')}
        </Button>
        <Button
          component={Link}
          to="/statement"
          search={query({ user: user.id })}
          variant="default"
          leftSection={<IconReceipt size={16} stroke={1.6} aria-hidden />}
        >
          {t('Statement')}
        </Button>
        <Button
          component={Link}
          to={`/user/edit/${user.id}`}
          variant="default"
          leftSection={<IconPencil size={16} stroke={1.6} aria-hidden />}
        >
          {t('Edit')}
        </Button>
        <Button leftSection={<IconCoins size={16} stroke={1.6} aria-hidden />} onClick={() => setAdding(true)}>
          {t('Adjust quota')}
        </Button>
      </PageActions>
      {isAdding && (
        <UserBulkDialog
          title={t('Adjust quota')}
          request={{ kind: 'quota' }}
          chosen={{ ids: [user.id] }}
          onChanged={() => void queries.invalidateQueries({ queryKey: [userList] })}
          onClosed={() => setAdding(false)}
        />
      )}
    </Group>
  );
}

function Facts({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, md: 6 }}>
      <Fact name={t('Remaining quota')}>{format(user.quota)}</Fact>
      <Fact name={t('Used quota')}>{format(user.used_quota)}</Fact>
      <Fact name={t('Request count')}>{formatNumber(user.request_count)}</Fact>
      <Fact name={t('Group')}>
        <GroupLabels groups={user.group} />
      </Fact>
      <Fact name={t('Role')}>
        <RoleLabel role={user.role} />
      </Fact>
      <Fact name={t('Status')}>
        <StatusDot status={user.status} statuses={userStatuses} />
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="div" fw={600}>
        {children}
      </Text>
    </div>
  );
}

const shownModels = 60;

function Models({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { data: models = [], isPending } = useQuery(userModelsQuery(user.id));
  const more = models.length - shownModels;
  return (
    <Card withBorder padding="md">
      <Title order={2} mb="sm">
        {t('Available models')}{' '}
        <Text span c="dimmed" fw={400}>
          {formatNumber(models.length)}
        </Text>
      </Title>
      {!isPending && models.length === 0 && <Text c="dimmed">{t('No models are available to this user')}</Text>}
      <Group gap={6}>
        {models.slice(0, shownModels).map((model) => (
          <Badge key={model} variant="default" tt="none" fw={400} radius="sm">
            {model}
          </Badge>
        ))}
        {more > 0 && <Text size="sm">{t('and {count} more', { count: formatNumber(more) })}</Text>}
      </Group>
    </Card>
  );
}
