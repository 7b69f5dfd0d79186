import { type AdminToken, tokenStatus, type User } from '@headgate/contract';
import { Alert, Button, Card, Group, Skeleton, Table, Text, Title } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUrlAction } from '../../../lib/api/url-action.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { Time } from '../../../ui/time.tsx';
import { bindingOf, isBound } from '../../../ui/token-binding/token-binding.ts';
import { TokenBindingDialog } from '../../../ui/token-binding/token-binding-dialog.tsx';
import { TokenBindingSummary } from '../../../ui/token-binding/token-binding-summary.tsx';
import { TokenStatus } from '../../../ui/token-status.tsx';
import { enableUserTokens, userList, userTokensQuery } from '../user-queries.ts';
import { DisableTokensDialog } from './disable-tokens-dialog.tsx';
import styles from './user-page.module.css';

/** Tokens of a user without their keys; each or all of them can be disabled. */
export function UserTokens({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { data: tokens = [], isPending } = useQuery(userTokensQuery(user.id));
  const enable = useEnable(user);
  const [disabling, setDisabling] = useState<AdminToken | 'all'>();
  const [bound, setBound] = useState<AdminToken>();
  const active = tokens.filter(({ status }) => status !== tokenStatus.disabled);
  useUrlAction(!isPending, (name) => {
    if (name === 'disable-tokens') setDisabling('all');
  });
  return (
    <Card withBorder padding="md" component="section" aria-label={t('Tokens')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('Tokens')}</Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconKeyOff size={14} stroke={1.6} aria-hidden />}
          disabled={active.length === 0 && user.tokens_locked}
          onClick={() => setDisabling('all')}
        >
          {t('Disable all tokens')}
        </Button>
      </Group>
      {user.tokens_locked && (
        <TokensBlocked isUnlocking={enable.isPending} onUnlock={() => enable.mutate({ unlock: true })} />
      )}
      {isPending && <Skeleton height={80} />}
      {!isPending && tokens.length === 0 && <Text c="dimmed">{t('This user has no tokens')}</Text>}
      {tokens.length > 0 && (
        <TokenTable
          tokens={tokens}
          onDisable={setDisabling}
          onEnable={({ id }) => enable.mutate({ ids: [id] })}
          onBind={setBound}
        />
      )}
      {disabling && (
        <DisableTokensDialog
          user={user}
          token={disabling === 'all' ? undefined : disabling}
          onClosed={() => setDisabling(undefined)}
        />
      )}
      {bound && (
        <TokenBindingDialog
          userId={user.id}
          token={bound}
          binding={bindingOf(bound)}
          onClosed={() => setBound(undefined)}
        />
      )}
    </Card>
  );
}

interface TokensBlockedProps {
  readonly isUnlocking: boolean;
  readonly onUnlock: () => void;
}

function TokensBlocked({ isUnlocking, onUnlock }: TokensBlockedProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" mb="sm" title={t('This user cannot create or enable tokens')}>
      <Group justify="space-between">
        <Text size="sm">{t('An admin disabled all tokens of this user.')}</Text>
        <Button size="xs" variant="default" loading={isUnlocking} onClick={onUnlock}>
          {t('Allow tokens again')}
        </Button>
      </Group>
    </Alert>
  );
}

interface TokenTableProps {
  readonly tokens: readonly AdminToken[];
  readonly onDisable: (token: AdminToken) => void;
  readonly onEnable: (token: AdminToken) => void;
  readonly onBind: (token: AdminToken) => void;
}

function TokenTable({ tokens, onDisable, onEnable, onBind }: TokenTableProps) {
  const { t } = useTranslation();
  return (
    <div className={styles['scroll']}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th>{t('Status')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('Used quota')}</Table.Th>
            <Table.Th>{t('Remaining quota')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('Last used')}</Table.Th>
            <Table.Th ta="right">{t('Actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onToggle={() => (token.status === tokenStatus.disabled ? onEnable : onDisable)(token)}
              onBind={() => onBind(token)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface TokenRowProps {
  readonly token: AdminToken;
  readonly onToggle: () => void;
  readonly onBind: () => void;
}

function TokenRow({ token, onToggle, onBind }: TokenRowProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const binding = bindingOf(token);
  const isOff = token.status === tokenStatus.disabled;
  return (
    <Table.Tr>
      <Table.Td>
        {token.name || `#${token.id}`}
        {token.note !== '' && (
          <Text size="xs" c="dimmed">
            {token.note}
          </Text>
        )}
        {isBound(binding) && (
          <Text size="xs" c="dimmed">
            <TokenBindingSummary binding={binding} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <TokenStatus token={token} />
      </Table.Td>
      <Table.Td visibleFrom="sm">{format(token.used_quota)}</Table.Td>
      <Table.Td data-title={t('Remaining')}>
        {token.unlimited_quota ? t('Unlimited') : format(token.remain_quota)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {token.accessed_time > 0 ? <Time seconds={token.accessed_time} /> : t('Never used')}
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={t('Select channels for {name}', { name: token.name })}
          onClick={onBind}
        >
          {t('Channels')}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={t(isOff ? 'Enable {name}' : 'Disable {name}', { name: token.name })}
          onClick={onToggle}
        >
          {isOff ? t('Enable') : t('Disable')}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function useEnable(user: User) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Parameters<typeof enableUserTokens>[1]) => enableUserTokens(user.id, change),
    onSuccess: (count, { unlock }) =>
      showMessage('success', unlock ? t('Operation completed successfully') : t('{count} tokens enabled', { count })),
    onSettled: () => queries.invalidateQueries({ queryKey: [userList] }),
  });
}
