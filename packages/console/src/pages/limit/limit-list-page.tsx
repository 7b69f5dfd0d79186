import { type LimitRule, limitStatus, limitStatuses } from '@headgate/contract';
import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useList } from '../../lib/list/list.ts';
import { scopeText, useAllowanceText } from '../../ui/effective-limits/limit-labels.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { useLimitActions } from './limit-actions.tsx';
import { LimitUse, statusOf, useLimitColumns } from './limit-columns.tsx';
import { isCounted } from './limit-form.ts';
import { limitList, readLimits } from './limit-queries.ts';
import { LimitScope } from './limit-scope.tsx';

/** Request limits, as sentences. */
export function LimitListPage() {
  const { t } = useTranslation();
  const list = useList<LimitRule>({ name: limitList, read: readLimits });
  const actions = useLimitActions();
  const columns = useLimitColumns();
  const allowanceText = useAllowanceText();
  return (
    <ListPage
      title={t('Limits')}
      list={list}
      managed="limit"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={(rule) => `${scopeText(t, rule)} #${rule.id}`}
      actions={actions}
      statuses={limitStatuses}
      searchLabel={t('Search limits')}
      add={{ label: t('Add limit'), to: '/limit/add' }}
      emptyText={t('No limits yet. Requests are limited only by channel capacity.')}
      card={(rule) => ({
        title: <LimitScope rule={rule} />,
        status: <StatusDot status={statusOf(rule)} statuses={limitStatuses} />,
        facts: [
          { name: t('Limit'), value: allowanceText(rule), isWide: true },
          ...(isCounted(rule.measure) ? [{ name: t('Current usage'), value: <LimitUse rule={rule} /> }] : []),
          ...(rule.note === '' ? [] : [{ name: t('Note'), value: rule.note, isWide: true }]),
        ],
      })}
    >
      {list.rows.some((rule) => statusOf(rule) === limitStatus.enabled) && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('When several limits apply, the strictest wins. Requests over a limit are rejected with 429.')}
        </Text>
      )}
    </ListPage>
  );
}
