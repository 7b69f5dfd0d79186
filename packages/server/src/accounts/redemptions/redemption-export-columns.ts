import { type Redemption, redemptionStatuses } from '@headgate/contract';
import { type ExportColumn, type ExportFileFormat, listCells } from '../../records/exports/export-format.ts';

export function redemptionColumns(format: ExportFileFormat): readonly ExportColumn<Redemption>[] {
  const { say, dollars, named, time } = listCells(format);
  return [
    { title: say('ID'), cell: ({ id }) => id },
    { title: say('Name'), cell: ({ name }) => name },
    { title: say('Code'), cell: ({ key }) => key },
    { title: say('Status'), cell: ({ status }) => named(redemptionStatuses, status) },
    { title: say('Quota (points)'), cell: ({ quota }) => quota },
    { title: say('Quota (USD)'), cell: ({ quota }) => dollars(quota) },
    { title: say('Created'), cell: ({ created_time }) => time(created_time) },
    { title: say('Created by'), cell: ({ user_id }) => user_id },
    { title: say('Redeemed'), cell: ({ redeemed_time }) => time(redeemed_time) },
    { title: say('Redeemed by'), cell: ({ redeemed_user_id }) => redeemed_user_id || '' },
    { title: say('Uses'), cell: ({ use_count }) => use_count },
    { title: say('Max uses'), cell: ({ max_uses }) => max_uses },
    { title: say('Expires'), cell: ({ expired_time }) => time(expired_time) },
    { title: say('Plan ID'), cell: ({ plan_id }) => plan_id || '' },
  ];
}
