import { roles, type User, userStatuses } from '@headgate/contract';
import { type ExportColumn, type ExportFileFormat, listCells } from '../../records/exports/export-format.ts';

export function userColumns(format: ExportFileFormat): readonly ExportColumn<User>[] {
  const { say, dollars, named } = listCells(format);
  return [
    { title: say('ID'), cell: ({ id }) => id },
    { title: say('Username'), cell: ({ username }) => username },
    { title: say('Display name'), cell: ({ display_name }) => display_name },
    { title: say('Email'), cell: ({ email }) => email },
    { title: say('Role'), cell: ({ role }) => named(roles, role) },
    { title: say('Status'), cell: ({ status }) => named(userStatuses, status) },
    { title: say('Group'), cell: ({ group }) => group },
    { title: say('Remaining quota'), cell: ({ quota }) => quota },
    { title: say('Remaining quota (USD)'), cell: ({ quota }) => dollars(quota) },
    { title: say('Used quota'), cell: ({ used_quota }) => used_quota },
    { title: say('Used quota (USD)'), cell: ({ used_quota }) => dollars(used_quota) },
    { title: say('Requests'), cell: ({ request_count }) => request_count },
    { title: say('Invited by'), cell: ({ inviter_id }) => inviter_id || '' },
  ];
}
