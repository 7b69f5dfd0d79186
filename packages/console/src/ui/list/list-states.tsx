import { Button, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import type { List } from '../../lib/list/list.ts';
import { EmptyState } from '../empty-state.tsx';
import { LoadFailed } from '../load-failed.tsx';
import type { ListPageProps } from './list-props.ts';

export function PageOnlyNotice() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" mb="sm" role="status">
      {t('This server does not support filters. Only rows on this page are filtered.')}
    </Text>
  );
}

export function Empty<Row>({ list, emptyText, add, customFilters }: ListPageProps<Row>) {
  const { t } = useTranslation();
  const isNarrowed = list.state.keyword !== '' || list.state.status !== undefined || customFilters?.isNarrowed;
  const noMatch = list.isPageOnly ? t('No results on this page') : t('No results');
  const showEverything = customFilters?.clear ?? (() => list.change({ keyword: '', status: undefined }));
  return (
    <Paper withBorder p="xl">
      <EmptyState text={isNarrowed ? noMatch : emptyText} isNarrowed={isNarrowed}>
        {isNarrowed ? (
          <Button variant="light" onClick={showEverything}>
            {t('Clear filters')}
          </Button>
        ) : (
          add && (
            <Button component={Link} to={add.to} variant="light">
              {add.label}
            </Button>
          )
        )}
      </EmptyState>
    </Paper>
  );
}

export function ListFailed<Row>({ list }: { readonly list: List<Row> }) {
  const { t } = useTranslation();
  return <LoadFailed title={t('The list could not be loaded')} error={list.error} onRetry={list.refresh} />;
}
