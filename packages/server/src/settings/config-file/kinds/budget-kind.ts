import { type Budget, budgetCreation } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { BudgetEntry } from '../file-schema.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { type FileServices, findUserId, mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenBudget {
  readonly entry: BudgetEntry;
  /** Owner of the token. */
  readonly tokenUser: string | undefined;
}

/** Budgets of users, groups, tags and tokens. The name in the file is stored as the note. */
export const budgetKind: ObjectKind<GivenBudget> = {
  kind: 'budget',
  section: 'budgets',

  wanted(file) {
    const seen = new Set<string>();
    return Object.entries(file.document.budgets ?? {}).map(([name, entry]) => {
      const path = ['budgets', name];
      const { user, group, tag, token, ...terms } = entry;
      if ([user, group, tag, token].filter((owner) => owner !== undefined && owner !== '').length !== 1)
        throw file.errorAt(path, 'needs a user, a group, a tag or a token.');
      const owner = group === undefined ? { kind: 'user' as const, owner_id: 1 } : { kind: 'group' as const, group };
      const { note } = file.validated(path, budgetCreation, { ...terms, ...owner, note: name });
      if (note !== name) throw file.errorAt(path, 'has spaces around its name.');
      const subject = JSON.stringify([user, group, tag, token, entry.period]);
      if (seen.has(subject)) throw file.errorAt(path, 'has the same owner and period as an earlier one.');
      seen.add(subject);
      const tokenUser = token === undefined ? undefined : file.document.tokens?.[token]?.user;
      return { name, fields: wantedFields(entry), input: { entry, tokenUser } };
    });
  },

  async found({ budgets, users, tokens }, { wanted, ids }) {
    const found = new Map<number, string>();
    const note = (id: number | undefined, name: string) => {
      if (id !== undefined && !found.has(id)) found.set(id, name);
    };
    // An owner has one budget per period, so the budget is identified by owner and period, not by its note.
    for (const one of wanted) note(await idByOwner({ budgets, users, tokens }, one), one.name);
    const isFound = new Set(found.values());
    for (const { name } of wanted.filter((one) => !isFound.has(one.name)))
      for (const id of await budgets.idsNoted(name)) note(id, name);
    for (const id of ids) note(id, '');
    return (
      await mapSequentially([...found], async ([id, name]): Promise<StoredObject[]> => {
        const budget = await budgets.findById(id);
        return budget ? [{ id, name, fields: storedFields(budget) }] : [];
      })
    ).flat();
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeBudget(writing, change)));
  },

  async remove({ actor, budgets }, found) {
    await mapSequentially(found, ({ id }) => budgets.remove(actor, id));
  },
};

const wantedFields = ({
  user = '',
  group = '',
  tag = '',
  token = '',
  amount,
  period,
  time_zone,
  enabled,
}: BudgetEntry): Fields => ({
  ...{ user, group, tag, token, amount, period, time_zone, enabled },
});

const storedFields = ({ kind, owner, amount, period, time_zone, enabled }: Budget): Fields => ({
  user: kind === 'user' ? owner : '',
  group: kind === 'group' ? owner : '',
  tag: kind === 'tag' ? owner : '',
  token: kind === 'token' ? owner : '',
  ...{ amount, period, time_zone, enabled },
});

async function idByOwner(
  { budgets, users, tokens }: Pick<FileServices, 'budgets' | 'users' | 'tokens'>,
  { input: { entry, tokenUser } }: DesiredObject<GivenBudget>,
): Promise<number | undefined> {
  const { user, group = '', tag, token, period } = entry;
  if (token !== undefined) {
    const owner = tokenUser === undefined ? undefined : await users.named(tokenUser);
    const named = owner ? (await tokens.all(owner.id)).filter(({ name }) => name === token) : [];
    const [only] = named.length === 1 ? named : [];
    return only && budgets.idOwnedBy({ owner_kind: 'token', owner_id: only.id, owner_group: '' }, period);
  }
  if (tag !== undefined) return budgets.idOwnedBy({ owner_kind: 'tag', owner_id: 0, owner_group: tag }, period);
  if (user === undefined) return budgets.idOwnedBy({ owner_kind: 'group', owner_id: 0, owner_group: group }, period);
  const row = await users.named(user);
  return row && budgets.idOwnedBy({ owner_kind: 'user', owner_id: row.id, owner_group: '' }, period);
}

async function writeBudget(writing: WriteContext<GivenBudget>, change: WrittenChange<GivenBudget>): Promise<number> {
  const { actor, budgets } = writing.services;
  const { name, found, fields } = change;
  const { user, group = '', tag = '', token, ...terms } = change.wanted.input.entry;
  const isAnothers = fields.some(({ field }) => ['user', 'group', 'tag', 'token'].includes(field));
  if (found && !isAnothers) return (await budgets.update(actor, { ...terms, id: found.id })).id;
  // A budget whose owner changes is replaced, since its usage belongs to the previous owner. The budget of a deleted
  // owner is already gone.
  if (found && (await budgets.findById(found.id))) await budgets.remove(actor, found.id);
  const owner = tag === '' ? await ownerOf(writing, { user, token }) : { kind: 'tag' as const, owner_id: 0 };
  return (await budgets.create(actor, { ...terms, ...owner, group, tag, note: name })).id;
}

async function ownerOf(writing: WriteContext<GivenBudget>, { user, token }: Pick<BudgetEntry, 'user' | 'token'>) {
  if (user === undefined && token === undefined) return { kind: 'group' as const, owner_id: 0 };
  const id = token === undefined ? await findUserId(writing, user ?? '') : writing.idOf('token', token);
  if (id === undefined) throw new ApiError('budgetOwnerUnknown');
  return { kind: token === undefined ? ('user' as const) : ('token' as const), owner_id: id };
}
