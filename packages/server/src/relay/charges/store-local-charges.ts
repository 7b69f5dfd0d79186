import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { batchRetentionDays, type ChargeBatchRepository } from './charge-batch-repository.ts';
import { type Charge, isPermanentlyRejected, withoutTexts } from './charge-writer.ts';
import {
  type LocalBatch,
  localJournalPaths,
  readJournalFile,
  removeJournalFile,
  saveRejectedCharges,
} from './local-charge-journal.ts';

interface LocalCharges {
  readonly folder: string;
  /** Batches of other databases are skipped. */
  readonly databaseId: string;
  /** The batches of another process, by its writer id. */
  readonly groupsOf: (writer: number) => Pick<ChargeBatchRepository, 'store' | 'accepts'>;
  readonly log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/**
 * Older batches are not stored, because the database may have deleted the row that shows whether they were already
 * stored.
 */
const oldestSeconds = (batchRetentionDays - 1) * 86_400;

/** Number and total of charges, for the log. */
export const chargeTotals = (charges: readonly Charge[]) => ({
  charges: charges.length,
  quota: charges.reduce((sum, { quota }) => sum + quota, 0),
});

/**
 * Stores charges that processes with this data folder saved at shutdown, each batch once. A file that cannot be stored
 * completely is kept, and the start continues.
 */
export async function storeLocalCharges(local: LocalCharges): Promise<void> {
  for (const path of localJournalPaths(local.folder)) {
    try {
      await storePath(path, local);
    } catch (error) {
      local.log.error({ path, err: error }, 'charges saved by an earlier process cannot be read or removed');
    }
  }
}

async function storePath(path: string, local: LocalCharges): Promise<void> {
  const { databaseId, log } = local;
  const file = readJournalFile(path);
  const { own = [], foreign = [] } = Object.groupBy(file.groups, (group) =>
    group.databaseId === databaseId ? 'own' : 'foreign',
  );
  const { stored, left } = await storeGroups(own, local);
  if (stored.length > 0) log.info({ path, ...chargeTotals(stored) }, 'stored the charges saved by an earlier process');
  if (foreign.length > 0) {
    const fields = { path, ...chargeTotals(foreign.flatMap(({ charges }) => charges)) };
    log.error(
      fields,
      'charges saved by an earlier process belong to another database and were not stored; start once with the DATABASE_URL of that database',
    );
  }
  if (left.length + file.unreadable > 0) {
    const fields = { path, ...chargeTotals(left), unreadable: file.unreadable };
    log.error(fields, 'charges saved by an earlier process were not stored; the file is kept');
  }
  if (foreign.length + left.length + file.unreadable > 0) return;
  // Another process with this folder may still be shutting down and appending to its file. Batches that are already
  // stored are not charged again.
  if (readJournalFile(path).lines > file.lines) await storePath(path, local);
  else removeJournalFile(path);
}

interface Outcome {
  readonly stored: readonly Charge[];
  /** Charges that stay in the file. */
  readonly left: readonly Charge[];
}

async function storeGroups(groups: readonly LocalBatch[], local: LocalCharges): Promise<Outcome> {
  const stored: Charge[] = [];
  const left: Charge[] = [];
  for (const group of groups) {
    const outcome = isCurrent(group) ? await storeGroup(group, local) : { stored: [], left: group.charges };
    stored.push(...outcome.stored);
    left.push(...outcome.left);
  }
  return { stored, left };
}

const isCurrent = ({ savedTime }: LocalBatch): boolean => savedTime > nowInSeconds() - oldestSeconds;

async function storeGroup(group: LocalBatch, local: LocalCharges): Promise<Outcome> {
  const { writer, number, charges } = group;
  try {
    return await storeOrSplit(group, local);
  } catch (error) {
    local.log.error({ err: error, writer, number }, 'a group of charges saved by an earlier process was not stored');
    return { stored: [], left: charges };
  }
}

async function storeOrSplit(group: LocalBatch, local: LocalCharges): Promise<Outcome> {
  try {
    await local.groupsOf(group.writer).store(group.number, group.charges);
    return { stored: group.charges, left: [] };
  } catch (error) {
    const outcome = isPermanentlyRejected(error) ? await storeAccepted(group, local) : undefined;
    if (!outcome) throw error;
    return outcome;
  }
}

/**
 * Stores the charges of a rejected batch that the database accepts, if necessary without their texts, and saves the
 * others in a separate file. Returns undefined if it accepts none.
 */
async function storeAccepted(group: LocalBatch, { folder, groupsOf, log }: LocalCharges): Promise<Outcome | undefined> {
  const groups = groupsOf(group.writer);
  const accepted: Charge[] = [];
  const rejected: Charge[] = [];
  for (const charge of group.charges) {
    if (await groups.accepts(charge)) accepted.push(charge);
    else if (await groups.accepts(withoutTexts(charge))) accepted.push(withoutTexts(charge));
    else rejected.push(charge);
  }
  if (accepted.length === 0) return undefined;
  // Must be done first: once the batch is stored under its id, the next start skips it completely.
  if (rejected.length > 0) {
    const path = saveRejectedCharges(folder, group, rejected);
    const fields = { path, ...chargeTotals(rejected) };
    log.error(fields, 'charges saved by an earlier process were rejected by the database and moved to a separate file');
  }
  await groups.store(group.number, accepted);
  return { stored: accepted, left: [] };
}
