import { type Redemption, redemptionStatuses } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';
import { useList } from '../../lib/list/list.ts';
import { filterParameters } from '../../lib/list/list-state.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ListExport, ListExportProgress } from '../../ui/export/list-export.tsx';
import { useCopyFallback } from '../../ui/list/copy-fallback.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { SecretText } from '../../ui/secret-text.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { useRedemptionBulk } from './bulk/redemption-bulk.tsx';
import { useRedemptionActions } from './redemption-actions.tsx';
import { RedeemedTime, useRedemptionColumns } from './redemption-columns.tsx';
import { countRedemptions, exportRedemptions, readRedemptions, redemptionList } from './redemption-queries.ts';
import { RedemptionValue } from './redemption-value.tsx';

export function RedemptionListPage() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const list = useList<Redemption>({ name: redemptionList, read: readRedemptions, counts: countRedemptions });
  const { searchRef, showForCopying } = useCopyFallback();
  const actions = useRedemptionActions(showForCopying);
  const columns = useRedemptionColumns();
  const { selection, dialog } = useRedemptionBulk(list);
  return (
    <ListPage
      title={t('Redemption codes')}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name, id }) => `${name} #${id}`}
      actions={actions.of}
      statuses={redemptionStatuses}
      selection={selection}
      tools={
        extensions && (
          <ListExport
            list={redemptionList}
            isEmpty={list.rows.length === 0}
            ask={exportRedemptions({ filter: filterParameters(list.state) })}
          />
        )
      }
      searchLabel={t('Search by ID and name')}
      searchRef={searchRef}
      add={{ label: t('Add codes'), to: '/redemption/add' }}
      emptyText={t('No redemption codes yet')}
      card={(code) => ({
        title: `${code.name || t('None')} #${code.id}`,
        status: <StatusDot status={code.status} statuses={redemptionStatuses} />,
        facts: [
          { name: t('Quota'), value: <RedemptionValue code={code} />, isPlain: true },
          { name: t('Key'), value: <SecretText text={code.key} onCopy={() => actions.copy(code)} />, isPlain: true },
          ...(extensions
            ? [
                { name: t('Uses'), value: t('{used} of {max}', { used: code.use_count, max: code.max_uses }) },
                {
                  name: t('Expires'),
                  value: code.expired_time === 0 ? t('Never') : <Time seconds={code.expired_time} />,
                },
              ]
            : []),
          {
            name: t('Redeemed'),
            value: <RedeemedTime seconds={code.redeemed_time} />,
            isPlain: code.redeemed_time === 0,
          },
        ],
      })}
    >
      <ListExportProgress list={redemptionList} />
      {dialog}
    </ListPage>
  );
}
