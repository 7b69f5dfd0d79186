import { type Token, tokenKeyPrefix } from '@headgate/contract';
import { Card, CloseButton, Group, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { splitList } from '../../ui/token-form/token-form.ts';
import { ClientSetup } from '../../ui/use-with/use-with.tsx';
import { createdTokenQuery } from './token-queries.ts';

interface CreatedTokenProps {
  readonly rows: readonly Token[];
}

/**
 * Setup instructions for the new token, with its key. Some servers do not return the id, so the newest token with that
 * name is used.
 */
export function CreatedToken({ rows }: CreatedTokenProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: name } = useQuery(createdTokenQuery);
  const [token] = rows.filter((row) => row.name === name).toSorted((one, other) => other.id - one.id);
  if (!token) return null;
  return (
    <Card withBorder padding="lg" mb="md" component="section" aria-labelledby="created-token">
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <Title order={2} id="created-token">
          {t('Token created. Connect a client:')}
        </Title>
        <CloseButton aria-label={t('Close')} onClick={() => queries.setQueryData(createdTokenQuery.queryKey, null)} />
      </Group>
      <ClientSetup key={token.id} apiKey={tokenKeyPrefix + token.key} models={splitList(token.models)} isShown />
    </Card>
  );
}
