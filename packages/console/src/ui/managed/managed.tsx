import { type ManagedKind, managedApi } from '@headgate/contract';
import { Alert, Badge, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords, type Words } from '../../i18n/translate.ts';
import { call } from '../../lib/call.ts';
import { useStatus } from '../../lib/status.ts';
import styles from './managed.module.css';

const managedQuery = queryOptions({
  queryKey: ['managed'],
  queryFn: ({ signal }) => call(managedApi.list, {}, { signal }),
  staleTime: 60_000,
  // The server refuses changes all the same.
  meta: { quiet: true },
});

type Asked = { readonly id: number | undefined } | { readonly name: string };

/** Whether the configuration file manages a thing, by its id or, where it has none, by its name. */
export function useIsManaged(): (kind: ManagedKind, asked: Asked) => boolean {
  const { extensions } = useStatus();
  const { data = [] } = useQuery({ ...managedQuery, enabled: extensions });
  return (kind, asked) =>
    data.some((thing) => thing.kind === kind && ('id' in asked ? thing.id === asked.id : thing.name === asked.name));
}

export function ManagedBadge() {
  const { t } = useWords();
  return (
    <Badge variant="light" color="gray" size="sm">
      {t('Managed by file')}
    </Badge>
  );
}

/** Says above a form that the file manages what it shows. */
export function ManagedNotice({ words }: { readonly words: Words }) {
  const { t } = useWords();
  return (
    <Alert color="gray" title={t('Managed by file')}>
      {t(words)}
    </Alert>
  );
}

interface ManagedFieldsProps {
  readonly isManaged: boolean;
  readonly children: ReactNode;
}

/** Fields that can only be read where the file manages them. */
export function ManagedFields({ isManaged, children }: ManagedFieldsProps) {
  if (!isManaged) return children;
  return (
    <fieldset className={styles['fields']} disabled>
      <Stack gap="md">{children}</Stack>
    </fieldset>
  );
}
