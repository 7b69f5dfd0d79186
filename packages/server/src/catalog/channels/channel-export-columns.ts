import { channelStatuses, channelType, type ExportedChannel, logReasons } from '@headgate/contract';
import { type ExportColumn, type ExportFileFormat, listCells } from '../../records/exports/export-format.ts';

export function channelColumns(format: ExportFileFormat): readonly ExportColumn<ExportedChannel>[] {
  const { say, dollars, named, reason, time } = listCells(format);
  return [
    { title: say('ID'), cell: ({ id }) => id },
    { title: say('Name'), cell: ({ name }) => name },
    { title: say('Type'), cell: ({ type }) => channelType(type)?.name ?? type },
    { title: say('Status'), cell: ({ status }) => named(channelStatuses, status) },
    { title: say('Status reason'), cell: ({ status_reason }) => status_reason },
    { title: say('Tag'), cell: ({ tag }) => tag ?? '' },
    { title: say('Group'), cell: ({ group }) => group },
    { title: say('Models'), cell: ({ models }) => models },
    { title: say('Priority'), cell: ({ priority }) => priority ?? 0 },
    { title: say('Weight'), cell: ({ weight }) => weight ?? 0 },
    { title: say('Base URL'), cell: ({ base_url }) => base_url ?? '' },
    { title: say('Balance'), cell: ({ balance, balance_updated_time }) => (balance_updated_time ? balance : '') },
    { title: say('Used quota'), cell: ({ used_quota }) => used_quota },
    { title: say('Used quota (USD)'), cell: ({ used_quota }) => dollars(used_quota) },
    { title: say('Created'), cell: ({ created_time }) => time(created_time) },
    { title: say('Tested'), cell: ({ test_time }) => time(test_time) },
    { title: say('Test duration (ms)'), cell: ({ response_time }) => response_time || '' },
    { title: say('Last failure'), cell: ({ failure_time }) => time(failure_time) },
    { title: say('Failure reason'), cell: ({ failure_reason }) => reason(logReasons, failure_reason) },
  ];
}
