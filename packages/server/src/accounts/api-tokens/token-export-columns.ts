import { type ExportedToken, neverExpires, tokenStatuses } from '@headgate/contract';
import { type ExportColumn, type ExportFileFormat, listCells } from '../../records/exports/export-format.ts';

export function tokenColumns(format: ExportFileFormat): readonly ExportColumn<ExportedToken>[] {
  const { say, dollars, named, time } = listCells(format);
  const unlimited = say('Unlimited');
  const never = say('Never');
  return [
    { title: say('ID'), cell: ({ id }) => id },
    { title: say('Name'), cell: ({ name }) => name },
    { title: say('Status'), cell: ({ status }) => named(tokenStatuses, status) },
    {
      title: say('Remaining quota'),
      cell: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? unlimited : remain_quota),
    },
    {
      title: say('Remaining quota (USD)'),
      cell: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? unlimited : dollars(remain_quota)),
    },
    { title: say('Used quota'), cell: ({ used_quota }) => used_quota },
    { title: say('Used quota (USD)'), cell: ({ used_quota }) => dollars(used_quota) },
    { title: say('Created'), cell: ({ created_time }) => time(created_time) },
    { title: say('Last used'), cell: ({ accessed_time }) => time(accessed_time) },
    {
      title: say('Expires'),
      cell: ({ expired_time }) => (expired_time === neverExpires ? never : time(expired_time)),
    },
    { title: say('Allowed models'), cell: ({ models }) => models ?? '' },
    { title: say('Allowed networks'), cell: ({ subnet }) => subnet ?? '' },
    { title: say('Groups'), cell: ({ groups }) => groups },
    { title: say('API formats'), cell: ({ dialects }) => dialects },
    { title: say('Endpoints'), cell: ({ endpoints }) => endpoints },
    { title: say('Tags'), cell: ({ fixed_tags }) => fixed_tags },
    { title: say('Note'), cell: ({ note }) => note },
  ];
}
