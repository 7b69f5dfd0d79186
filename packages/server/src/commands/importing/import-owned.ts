import type { ImportedBudget, ImportedLimit, LitellmOwner } from '@headgate/importer';
import { budgetTopic } from '../../accounts/budgets/budget-values.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ImportRepository } from './import-repository.ts';

type Ids = ReadonlyMap<string, number>;

/** Ids of the rows written in this run, by source id. */
interface Owners {
  readonly user: Ids;
  readonly token: Ids;
  readonly channel: Ids;
  readonly organization: Ids;
  readonly project: Ids;
  readonly member: Ids;
}

const note = 'Imported from LiteLLM';

/** Writes budgets and returns their ids by source id. */
export async function writeBudgets(
  transaction: Transaction,
  budgets: readonly ImportedBudget[],
  owners: Owners,
  imports: ImportRepository,
): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const { sourceId, owner, amount, period } of budgets) {
    if (owner.kind === 'channel') continue;
    if (owner.kind === 'member' && idOf(owner, owners) === 0) continue;
    // The account of an organization is a user.
    const owner_kind = owner.kind === 'organization' ? 'user' : owner.kind;
    const of = { owner_kind, owner_id: idOf(owner, owners), owner_group: groupOf(owner) };
    const terms = { amount, period, time_zone: 'UTC', enabled: 1, note, created_time: nowInSeconds() };
    ids.set(sourceId, (await imports.within(transaction).insertBudget({ ...of, ...terms })) ?? 0);
    transaction.changed(budgetTopic(of));
  }
  return ids;
}

/** Writes limits and returns their ids by source id. */
export async function writeLimits(
  transaction: Transaction,
  limits: readonly ImportedLimit[],
  owners: Owners,
  imports: ImportRepository,
): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const { sourceId, owner, measure, amount } of limits) {
    const idFor = (kind: LitellmOwner['kind']) => (owner.kind === kind ? idOf(owner, owners) : 0);
    const id = await imports.within(transaction).insertLimit({
      ...{
        token_id: idFor('token'),
        user_id: idFor('user') || idFor('organization'),
        channel_id: idFor('channel'),
        group: groupOf(owner),
      },
      ...{ model: '', measure, amount, counts_per: 'all', note, enabled: 1, created_time: nowInSeconds() },
    });
    ids.set(sourceId, id);
  }
  if (ids.size > 0) transaction.changed('limits');
  return ids;
}

const groupOf = (owner: LitellmOwner): string => (owner.kind === 'group' ? owner.group : '');

function idOf(owner: LitellmOwner, owners: Owners): number {
  if (owner.kind === 'group') return 0;
  const id = owners[owner.kind].get(String(owner.sourceId));
  if (id === undefined) throw new Error(`Nothing was written for ${owner.kind} ${owner.sourceId}.`);
  return id;
}
