import { nowInSeconds } from '../../clock.ts';
import type { Charge } from './charge.ts';
import { type ChargeGroupRepository, forgottenAfterDays } from './charge-group-repository.ts';
import { type LocalGroup, localJournalPaths, readJournalFile, removeJournalFile } from './local-charge-journal.ts';

interface LocalCharges {
  readonly folder: string;
  /** Groups of other databases are not stored. */
  readonly databaseId: string;
  /** The groups of another process, by the number of its writer. */
  readonly groupsOf: (writer: number) => Pick<ChargeGroupRepository, 'store'>;
  readonly log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** After this time the database may have forgotten that it has a group already. */
const oldestSeconds = (forgottenAfterDays - 1) * 86_400;

/** What charges amount to, for the log. */
export const amountOf = (charges: readonly Charge[]) => ({
  charges: charges.length,
  quota: charges.reduce((sum, { quota }) => sum + quota, 0),
});

/**
 * Stores the charges that processes with this data folder saved when they ended, each group once. A file of which something cannot
 * be stored is kept, and the start goes on.
 */
export async function storeLocalCharges(local: LocalCharges): Promise<void> {
  for (const path of localJournalPaths(local.folder)) {
    try {
      await storePath(path, local);
    } catch (error) {
      local.log.error({ path, err: error }, 'a file with charges of an earlier process cannot be read or removed');
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
  if (stored.length > 0) log.info({ path, ...amountOf(stored) }, 'stored the charges of an earlier process');
  if (foreign.length > 0) {
    const fields = { path, ...amountOf(foreign.flatMap(({ charges }) => charges)) };
    log.error(
      fields,
      'charges of an earlier process belong to another database and were not stored; start with DATABASE_URL of that database to store them',
    );
  }
  if (left.length + file.unreadable > 0) {
    const fields = { path, ...amountOf(left), unreadable: file.unreadable };
    log.error(fields, 'charges of an earlier process were not stored; the file is kept');
  }
  if (foreign.length + left.length + file.unreadable > 0) return;
  // A process that shares the folder may still be ending, and appending to its file: groups stored already are not charged again.
  if (readJournalFile(path).lines > file.lines) await storePath(path, local);
  else removeJournalFile(path);
}

async function storeGroups(
  groups: readonly LocalGroup[],
  local: LocalCharges,
): Promise<{ readonly stored: readonly Charge[]; readonly left: readonly Charge[] }> {
  const stored: Charge[] = [];
  const left: Charge[] = [];
  for (const group of groups) {
    const isStored = isCurrent(group) && (await storeGroup(group, local));
    (isStored ? stored : left).push(...group.charges);
  }
  return { stored, left };
}

const isCurrent = ({ savedTime }: LocalGroup): boolean => savedTime > nowInSeconds() - oldestSeconds;

async function storeGroup({ writer, number, charges }: LocalGroup, { groupsOf, log }: LocalCharges): Promise<boolean> {
  try {
    await groupsOf(writer).store(number, charges);
    return true;
  } catch (error) {
    log.error({ err: error, writer, number }, 'a group of charges of an earlier process was not stored');
    return false;
  }
}
