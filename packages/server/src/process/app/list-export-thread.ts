import { workerData } from 'node:worker_threads';
import { exportedChannel, exportedToken, redemption, user } from '@headgate/contract';
import { tokenColumns } from '../../accounts/api-tokens/token-export-columns.ts';
import { TokenExportRepository } from '../../accounts/api-tokens/token-export-repository.ts';
import { redemptionColumns } from '../../accounts/redemptions/redemption-export-columns.ts';
import { RedemptionExportRepository } from '../../accounts/redemptions/redemption-export-repository.ts';
import { userColumns } from '../../accounts/users/user-export-columns.ts';
import { UserExportRepository } from '../../accounts/users/user-export-repository.ts';
import { channelColumns } from '../../catalog/channels/channel-export-columns.ts';
import { ChannelExportRepository } from '../../catalog/channels/channel-export-repository.ts';
import { backendPid } from '../../platform/db/backend.ts';
import { type Database, openForExport } from '../../platform/db/database.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { SecretBox } from '../../platform/secrets/secret-box.ts';
import { secretBoxFor } from '../../platform/secrets/secret-check-repository.ts';
import { runExportThread } from '../../records/exports/export-thread.ts';
import { type ListWriter, listWriter } from '../../records/exports/list-export.ts';
import type { ExportedLists, ListExportJob } from '../../records/exports/list-export-service.ts';

type Lists = {
  readonly [List in keyof ExportedLists]: (
    database: Database,
    order: ListExportJob<List>,
  ) => ListWriter | Promise<ListWriter>;
};

/** All exportable lists: source of rows, exported fields and columns. */
const lists: Lists = {
  users: (database, { chosen }) =>
    listWriter({ source: new UserExportRepository(database, chosen), line: user, columns: userColumns }),
  tokens: (database, { chosen, userId }) =>
    listWriter({
      source: new TokenExportRepository(database, { chosen, userId, now: nowInSeconds() }),
      line: exportedToken,
      columns: tokenColumns,
    }),
  channels: async (database, { chosen, secretKey }) =>
    listWriter({
      source: new ChannelExportRepository(database, chosen, await secretBoxFor(database, secretKey)),
      line: exportedChannel,
      columns: channelColumns,
    }),
  codes: (database, { chosen, secretKey }) =>
    listWriter({
      source: new RedemptionExportRepository(database, chosen, new SecretBox(secretKey)),
      line: redemption,
      columns: redemptionColumns,
    }),
};

const writerOf = <List extends keyof ExportedLists>(database: Database, order: ListExportJob<List>) =>
  lists[order.list](database, order);

async function write(order: ListExportJob): Promise<void> {
  const database = await openForExport(order.location);
  try {
    const writeList = await writerOf(database, order);
    await writeList(order.format, await backendPid(database));
  } finally {
    await database.destroy();
  }
}

await runExportThread(() => write(workerData as ListExportJob));
