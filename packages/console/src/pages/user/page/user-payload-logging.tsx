import { type AdminToken, type PayloadRule, payloadApi, type User } from '@headgate/contract';
import { Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call, callWithoutData } from '../../../lib/api/call.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { type PayloadLoggingLimits, payloadLoggingOf } from '../../../lib/page/payload-logging.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { PayloadLoggingLine } from '../../../ui/payload-logging/payload-logging-line.tsx';
import { userTokensQuery } from '../user-queries.ts';

const keepingQuery = (id: number) =>
  queryOptions({
    queryKey: ['body', 'user', id],
    queryFn: ({ signal }) => call(payloadApi.of, { params: { id } }, { signal }),
    meta: { quiet: true },
    staleTime: 0,
  });

/** Payload logging for all or some tokens of a user. */
export function UserPayloadLogging({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { data } = useQuery(keepingQuery(user.id));
  const { data: tokens = [] } = useQuery(userTokensQuery(user.id));
  const change = useChange(user.id);
  if (!data || !(data.is_on || data.keepings.length > 0 || data.kept > 0)) return null;
  const lineOf = (subject: string, token?: number) => (
    <PayloadLoggingLine
      key={token ?? 0}
      subject={subject}
      keeping={payloadLoggingOf(data.keepings, token)}
      isBusy={change.isPending}
      onKeep={data.is_on ? (amounts) => change.mutate({ token, amounts }) : undefined}
      onEnd={() => change.mutate({ token })}
    />
  );
  const { kept, rest } = divided(tokens, data.keepings);
  return (
    <Card withBorder padding="md" component="section" aria-label={t('Payload logging')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('Payload logging')}</Title>
        <Forget user={user} count={data.kept} />
      </Group>
      <Stack gap="sm">
        {!data.is_on && <Text size="sm">{t('Payload logging is currently off on this gateway.')}</Text>}
        {lineOf(t('All tokens of {name}', { name: user.username }))}
        {kept.map(({ id, name }) => lineOf(name || `#${id}`, id))}
        {data.is_on && rest.length > 0 && <OtherTokens tokens={rest} lineOf={lineOf} />}
      </Stack>
    </Card>
  );
}

const divided = (tokens: readonly AdminToken[], keepings: readonly PayloadRule[]) => ({
  kept: tokens.filter(({ id }) => payloadLoggingOf(keepings, id)),
  rest: tokens.filter(({ id }) => !payloadLoggingOf(keepings, id)),
});

interface OtherTokensProps {
  readonly tokens: readonly AdminToken[];
  readonly lineOf: (subject: string, token: number) => ReactNode;
}

/** Select for a token without payload logging. */
function OtherTokens({ tokens, lineOf }: OtherTokensProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const token = tokens.find(({ id }) => String(id) === chosen);
  return (
    <>
      <Select
        label={t('Another token')}
        placeholder={t('Select a token')}
        searchable
        limit={100}
        maw={320}
        data={tokens.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))}
        value={token ? chosen : null}
        onChange={setChosen}
      />
      {token && lineOf(token.name || `#${token.id}`, token.id)}
    </>
  );
}

interface Wish {
  readonly token?: number | undefined;
  /** Absent: turns payload logging off. */
  readonly amounts?: PayloadLoggingLimits;
}

function useChange(id: number) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ token, amounts }: Wish) => {
      const of = token === undefined ? {} : { token_id: token };
      return amounts
        ? callWithoutData(payloadApi.keep, { params: { id }, body: { ...of, ...amounts } })
        : callWithoutData(payloadApi.end, { params: { id }, query: of });
    },
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => queries.invalidateQueries({ queryKey: keepingQuery(id).queryKey }),
  });
}

function Forget({ user, count }: { readonly user: User; readonly count: number }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const forget = useMutation({
    mutationFn: () => call(payloadApi.forgetOf, { params: { id: user.id } }),
    onSuccess: (deleted) => showMessage('success', t('{count} deleted', { count: formatNumber(deleted) })),
    onSettled: () => queries.invalidateQueries({ queryKey: keepingQuery(user.id).queryKey }),
  });
  const ask = () =>
    openConfirmation({
      title: t('Delete all stored payloads of {name}?', { name: user.username }),
      text: t('The payloads of {count} requests are permanently deleted.', { count: formatNumber(count) }),
      confirm: t('Delete'),
      onConfirm: () => forget.mutate(),
    });
  return (
    <Button size="xs" variant="default" disabled={count === 0} loading={forget.isPending} onClick={ask}>
      {t('Delete stored payloads ({count})', { count: formatNumber(count) })}
    </Button>
  );
}
