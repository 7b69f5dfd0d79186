import {
  type AccessScope,
  type AccessToken,
  accessTokenApi,
  accessTokensPerUser,
  neverExpires,
} from '@headgate/contract';
import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCopy, IconKey } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import type { CreatedAccessToken } from './access-token-dialog.tsx';
import { scopeLabels } from './access-token-labels.ts';
import { accessTokensQuery } from './access-tokens-query.ts';
import styles from './personal.module.css';

const Dialog = lazy(async () => ({ default: (await import('./access-token-dialog.tsx')).AccessTokenDialog }));

/** Named access tokens with scope and expiry. */
export function PersonalAccessTokens() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { data, error, refetch } = useQuery({ ...accessTokensQuery, enabled: extensions });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedAccessToken>();
  if (!extensions || !(data || error)) return null;
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Access tokens')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('Create one for each program that calls the management API. Each has its own scope and expiry.')}
      </Text>
      {!data && error && <LoadFailed title={t('Could not be loaded')} error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text c="dimmed" mb="md">
          {t('No access tokens yet')}
        </Text>
      )}
      {data && data.length > 0 && (
        <Stack gap={0} mb="md">
          {data.map((token) => (
            <TokenRow key={token.id} token={token} onRevoked={() => token.id === made?.id && setMade(undefined)} />
          ))}
        </Stack>
      )}
      {data && <CreateButton count={data.length} onClick={() => setMaking(true)} />}
      {made && <CreatedKey name={made.name} apiKey={made.key} />}
      {isMaking && (
        <Suspense>
          <Dialog onClose={() => setMaking(false)} onMade={setMade} />
        </Suspense>
      )}
    </Paper>
  );
}

interface CreateButtonProps {
  /** Number of existing tokens. */
  readonly count: number;
  readonly onClick: () => void;
}

function CreateButton({ count, onClick }: CreateButtonProps) {
  const { t } = useTranslation();
  const isFull = count >= accessTokensPerUser;
  return (
    <Group gap="sm">
      <Button variant="default" disabled={isFull} onClick={onClick}>
        {t('New access token')}
      </Button>
      {isFull && (
        <Text size="sm" c="dimmed">
          {t('Limit of {count} reached. Revoke an access token first.', { count })}
        </Text>
      )}
    </Group>
  );
}

interface CreatedKeyProps {
  readonly name: string;
  readonly apiKey: string;
}

function CreatedKey({ name, apiKey }: CreatedKeyProps) {
  const { t } = useTranslation();
  return (
    <Group mt="md" align="flex-end" gap="sm" role="group" aria-label={name}>
      <TextInput
        flex={1}
        miw={200}
        readOnly
        labelProps={{ className: styles['anyName'] }}
        label={t('Key of {name}. Shown only once; store it safely.', { name })}
        value={apiKey}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={<IconCopy size={16} stroke={1.6} aria-hidden />}
        onClick={() => void copyWithMessage(apiKey)}
      >
        {t('Copy key')}
      </Button>
    </Group>
  );
}

interface TokenRowProps {
  readonly token: AccessToken;
  readonly onRevoked: () => void;
}

function TokenRow({ token, onRevoked }: TokenRowProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(accessTokenApi.revoke, { params: { id: token.id } }),
    onSuccess: () => {
      showMessage('success', t('Access token revoked'));
      onRevoked();
      return queries.invalidateQueries({ queryKey: accessTokensQuery.queryKey });
    },
  });
  const ask = () =>
    openConfirmation({
      title: t('Revoke access token {name}?', { name: token.name }),
      text: t('Programs that use it are rejected immediately.'),
      confirm: t('Revoke'),
      onConfirm: () => revoke.mutate(),
    });
  return (
    <Group className={styles['row'] ?? ''} justify="space-between" wrap="nowrap" role="group" aria-label={token.name}>
      <Group gap="sm" wrap="nowrap" miw={0}>
        <IconKey size={18} stroke={1.75} aria-hidden style={{ flex: 'none' }} />
        <div className={styles['what']}>
          <Group gap="xs">
            <Text fw={500} truncate maw="100%">
              {token.name}
            </Text>
            <ScopeBadge scope={token.scope} />
          </Group>
          <Times token={token} />
        </div>
      </Group>
      <Button size="xs" variant="subtle" color="red" loading={revoke.isPending} onClick={ask}>
        {t('Revoke')}
      </Button>
    </Group>
  );
}

function ScopeBadge({ scope }: Pick<AccessToken, 'scope'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" style={{ flex: 'none' }}>
      {Object.hasOwn(scopeLabels, scope) ? t(scopeLabels[scope as AccessScope].label) : scope}
    </Badge>
  );
}

/** Tokens that expire within this many seconds are highlighted. */
const expiresSoonSeconds = 7 * 86_400;

function Times({ token: { expired_time, used_time } }: Pick<TokenRowProps, 'token'>) {
  const { t } = useTranslation();
  const left = expired_time === neverExpires ? Number.POSITIVE_INFINITY : expired_time - Date.now() / 1000;
  const used = used_time > 0 ? t('Last used {time}', { time: formatTime(used_time) }) : t('Never used');
  return (
    <Text size="sm" c="dimmed">
      <Text span inherit {...(left < expiresSoonSeconds && { c: 'var(--mantine-color-error)', fw: 500 })}>
        {expiryText(t, expired_time, left <= 0)}
      </Text>
      {` · ${used}`}
    </Text>
  );
}

function expiryText(t: ReturnType<typeof useTranslation>['t'], expired_time: number, isOver: boolean): string {
  if (expired_time === neverExpires) return t('Never expires');
  const time = formatTime(expired_time);
  return isOver ? t('Expired {time}', { time }) : t('Expires {time}', { time });
}
