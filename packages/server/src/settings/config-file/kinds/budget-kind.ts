import { type Budget, type BudgetKind, budgetCreation, type CommonBudgetKind } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { ConfigFile } from '../config-file.ts';
import type { BudgetEntry } from '../file-schema.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { type FileServices, findUserId, mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenBudget {
  readonly entry: BudgetEntry;
  /** Owner of the token. */
  readonly tokenUser: string | undefined;
}

/** Budgets of users, groups, tags, tokens, and organizations with their members and projects. The name in the file is stored as the note. */
export const budgetKind: ObjectKind<GivenBudget> = {
  kind: 'budget',
  section: 'budgets',

  wanted(file) {
    const seen = new Set<string>();
    return Object.entries(file.document.budgets ?? {}).map(([name, entry]) => {
      const path = ['budgets', name];
      checkOwner(file, path, entry);
      const { user, group, tag, token, organization, member, project, ...terms } = entry;
      const owner = group === undefined ? { kind: 'user' as const, owner_id: 1 } : { kind: 'group' as const, group };
      const { note } = file.validated(path, budgetCreation, { ...terms, ...owner, note: name });
      if (note !== name) throw file.errorAt(path, 'has spaces around its name.');
      const subject = JSON.stringify([user, group, tag, token, organization, member, project, entry.period]);
      if (seen.has(subject)) throw file.errorAt(path, 'has the same owner and period as an earlier one.');
      seen.add(subject);
      const tokenUser = token === undefined ? undefined : file.document.tokens?.[token]?.user;
      return { name, fields: wantedFields(entry), input: { entry, tokenUser } };
    });
  },

  async found(services, { wanted, ids }) {
    const { budgets } = services;
    const found = new Map<number, string>();
    const note = (id: number | undefined, name: string) => {
      if (id !== undefined && !found.has(id)) found.set(id, name);
    };
    // An owner has one budget per period, so the budget is identified by owner and period, not by its note.
    for (const one of wanted) note(await idByOwner(services, one), one.name);
    const isFound = new Set(found.values());
    for (const { name } of wanted.filter((one) => !isFound.has(one.name)))
      for (const id of await budgets.idsNoted(name)) note(id, name);
    for (const id of ids) note(id, '');
    return (
      await mapSequentially([...found], async ([id, name]): Promise<StoredObject[]> => {
        const budget = await budgets.findById(id);
        if (!budget) return [];
        const [organization] = await services.organizations.find({ names: [], ids: [budget.user_id] });
        return [{ id, name, fields: storedFields(budget, organization?.name) }];
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

function checkOwner(file: ConfigFile, path: readonly string[], entry: BudgetEntry): void {
  const { user, group, tag, token, organization, member, project } = entry;
  if ([user, group, tag, token, organization].filter((owner) => owner !== undefined && owner !== '').length !== 1)
    throw file.errorAt(path, 'needs exactly one of user, group, tag, token or organization.');
  const inside = [member, project].filter((owner) => owner !== undefined);
  if (inside.length > (organization === undefined ? 0 : 1))
    throw file.errorAt(path, 'can set either member or project, and only with organization.');
}

const wantedFields = ({ user = '', group = '', tag = '', token = '', ...entry }: BudgetEntry): Fields => {
  const { organization = '', member = '', project = '', amount, period, time_zone, enabled } = entry;
  return { user, group, tag, token, organization, member, project, amount, period, time_zone, enabled };
};

/** `organization` is the name of the organization that owns the budget, if any. */
const storedFields = (budget: Budget, organization: string | undefined): Fields => {
  const { kind, owner, amount, period, time_zone, enabled } = budget;
  const isOfOrganization = organization !== undefined && kind !== 'token';
  return {
    user: kind === 'user' && !isOfOrganization ? owner : '',
    group: kind === 'group' ? owner : '',
    tag: kind === 'tag' ? owner : '',
    token: kind === 'token' ? owner : '',
    organization: isOfOrganization ? organization : '',
    member: kind === 'member' ? owner : '',
    project: kind === 'project' ? owner : '',
    ...{ amount, period, time_zone, enabled },
  };
};

async function idByOwner(
  services: FileServices,
  { input: { entry, tokenUser } }: DesiredObject<GivenBudget>,
): Promise<number | undefined> {
  const { budgets, users } = services;
  const { user, group = '', tag, token, organization, period } = entry;
  if (organization !== undefined) {
    const owner = await ownerInOrganization(services, entry, (await findOrganization(services, organization))?.id);
    return owner && budgets.idOwnedBy({ owner_kind: owner.kind, owner_id: owner.owner_id, owner_group: '' }, period);
  }
  if (token !== undefined) {
    const only = await onlyToken(services, tokenUser, token);
    return only && budgets.idOwnedBy({ owner_kind: 'token', owner_id: only.id, owner_group: '' }, period);
  }
  if (tag !== undefined) return budgets.idOwnedBy({ owner_kind: 'tag', owner_id: 0, owner_group: tag }, period);
  if (user === undefined) return budgets.idOwnedBy({ owner_kind: 'group', owner_id: 0, owner_group: group }, period);
  const row = await users.named(user);
  return row && budgets.idOwnedBy({ owner_kind: 'user', owner_id: row.id, owner_group: '' }, period);
}

/** The token of the user with this name, if there is only one. */
async function onlyToken({ users, tokens }: FileServices, username: string | undefined, token: string) {
  const owner = username === undefined ? undefined : await users.named(username);
  const named = owner ? (await tokens.all(owner.id)).filter(({ name }) => name === token) : [];
  return named.length === 1 ? named[0] : undefined;
}

const findOrganization = async ({ organizations }: FileServices, name: string) =>
  (await organizations.find({ names: [name], ids: [] }))[0];

interface Owner {
  readonly kind: BudgetKind;
  readonly owner_id: number;
}

/** The organization, or the member or project that the entry names; undefined if it does not exist. */
async function ownerInOrganization(
  { organizations }: FileServices,
  { member, project }: BudgetEntry,
  id: number | undefined,
): Promise<(Owner & { readonly organization: number }) | undefined> {
  const [found] = id === undefined ? [] : await organizations.find({ names: [], ids: [id] });
  if (!found) return undefined;
  const of = { organization: found.id };
  if (member !== undefined) {
    const membership = found.members.find(({ username }) => username === member);
    return membership && { ...of, kind: 'member', owner_id: membership.id };
  }
  if (project === undefined) return { ...of, kind: 'user', owner_id: found.id };
  const projects = await organizations.projects({ names: [found.name], ids: [] });
  const named = projects.find((one) => one.project.name === project);
  return named && { ...of, kind: 'project', owner_id: named.project.id };
}

async function writeBudget(writing: WriteContext<GivenBudget>, change: WrittenChange<GivenBudget>): Promise<number> {
  const { services } = writing;
  const { actor, budgets } = services;
  const { entry } = change.wanted.input;
  const { amount, period, time_zone, enabled, group = '', tag = '' } = entry;
  const terms = { amount, period, time_zone, enabled };
  const owner = await ownerOf(writing, entry);
  const stored = change.found && (await budgets.findById(change.found.id));
  const isSame = stored?.kind === owner.kind && stored.owner_id === owner.owner_id;
  if (stored && isSame && (owner.owner_id !== 0 || stored.owner === (tag || group)))
    return (await budgets.update(actor, { ...terms, id: stored.id })).id;
  // A budget whose owner changes is replaced, since its usage belongs to the previous owner. The budget of a deleted
  // owner is already gone.
  if (stored) await budgets.remove(actor, stored.id);
  const { organization, ...of } = owner;
  const creation = { ...terms, ...of, note: change.name };
  if (organization !== undefined)
    return (await budgets.createInOrganization(actor, { id: organization, isByAdmin: true }, creation)).id;
  return (await budgets.create(actor, { ...creation, kind: owner.kind, group, tag })).id;
}

type GivenOwner =
  | (Owner & { readonly organization: number })
  | { readonly kind: CommonBudgetKind; readonly owner_id: number; readonly organization?: undefined };

async function ownerOf(writing: WriteContext<GivenBudget>, entry: BudgetEntry): Promise<GivenOwner> {
  const { user, token, tag, organization } = entry;
  if (organization !== undefined) {
    const managed = writing.idOf('organization', organization);
    const id = managed ?? (await findOrganization(writing.services, organization))?.id;
    const owner = await ownerInOrganization(writing.services, entry, id);
    if (!owner) throw new ApiError('budgetOwnerUnknown');
    return owner;
  }
  if (tag !== undefined && tag !== '') return { kind: 'tag', owner_id: 0 };
  if (user === undefined && token === undefined) return { kind: 'group', owner_id: 0 };
  const id = token === undefined ? await findUserId(writing, user ?? '') : writing.idOf('token', token);
  if (id === undefined) throw new ApiError('budgetOwnerUnknown');
  return { kind: token === undefined ? 'user' : 'token', owner_id: id };
}
