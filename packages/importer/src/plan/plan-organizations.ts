import { maxOrganizationMembers, maxProjects, maxServiceAccounts, organizationPrefix } from '@headgate/contract';
import type { ImportedOrganization, ImportedOrganizations, TokenPayer } from '../litellm/litellm-organizations.ts';
import type { ImportedRow, MappedRow } from '../mapping/map-options.ts';
import type { SourceKind } from '../source/source.ts';
import type { TargetRules, TargetState } from '../target.ts';
import { ImportTally, rowLabel, type TableReport } from './import-tally.ts';

export interface OrganizationsPlan {
  /** Rows that this run imports, and the payers of all tokens. */
  readonly organizations: ImportedOrganizations;
  readonly reports: readonly TableReport[];
  /** True if the payer exists or is imported in this run. */
  isUsable(payer: TokenPayer): boolean;
}

interface OrganizationsContext {
  readonly here: TargetState;
  readonly rules: Pick<TargetRules, 'lookalikeKey'>;
  readonly kind: SourceKind;
  /** Source ids of users who exist here or are imported in this run. */
  readonly users: ReadonlySet<string>;
}

const noOrganization = { reason: 'belongs to an organization that is skipped or was deleted here' };

/** Plans organizations with members, projects and service accounts. Only LiteLLM has them. */
export function planOrganizations(given: ImportedOrganizations, around: OrganizationsContext): OrganizationsPlan {
  const { here, kind, users } = around;
  const organizations = planNewOrganizations(given.organizations, around);
  const created = new Set(organizations.rows.map(({ sourceId }) => sourceId));
  const ids = new Set([...existing(here, 'organization'), ...created]);
  const isNew = ({ organization }: Owned) => created.has(organization);
  const isKnown = ({ organization }: Owned) => ids.has(organization);
  const isImported = ({ sourceId }: Owned) => here.imported.member.has(String(sourceId));
  // An existing organization keeps its owners.
  const comers = given.members
    .filter((row) => row.user !== undefined || isNew(row) || isImported(row))
    .map((row) => (row.role === 'owner' && !isNew(row) ? { ...row, role: 'admin' as const } : row));
  const members = planOwned(comers, {
    name: 'members',
    max: maxOrganizationMembers,
    isHere: isImported,
    labelOf: ({ label }) => `member ${label}`,
    faultOf: (row) => {
      if (!isKnown(row)) return noOrganization;
      if (row.isUnknown) return { reason: 'does not exist as a user in LiteLLM' };
      return row.user === undefined || users.has(String(row.user)) ? undefined : { reason: 'is a user who is skipped' };
    },
  });
  const projects = planOwned(given.projects, {
    name: 'projects',
    max: maxProjects,
    isHere: ({ sourceId }) => here.imported.project.has(String(sourceId)),
    labelOf: ({ name, sourceId }) => rowLabel('project', sourceId, name),
    faultOf: (row) => (isKnown(row) ? undefined : noOrganization),
  });
  const services = planOwned(given.serviceAccounts, {
    name: 'service accounts',
    max: maxServiceAccounts,
    isHere: ({ sourceId }) => here.imported.service_account.has(String(sourceId)),
    labelOf: ({ name, sourceId }) => rowLabel('service account', sourceId, name),
    faultOf: (row) => (isKnown(row) ? undefined : noOrganization),
  });
  const usable = {
    project: new Set([...existing(here, 'project'), ...projects.rows.map(({ sourceId }) => sourceId)]),
    service: new Set([0, ...existing(here, 'service_account'), ...services.rows.map(({ sourceId }) => sourceId)]),
  };
  return {
    organizations: {
      organizations: organizations.rows,
      members: members.rows,
      projects: projects.rows,
      serviceAccounts: services.rows,
      payers: given.payers,
    },
    reports: kind === 'litellm' ? [organizations, members, projects, services].map(({ report }) => report) : [],
    isUsable: ({ organization, project, serviceAccount }) =>
      ids.has(organization) && usable.project.has(project) && usable.service.has(serviceAccount),
  };
}

/** Source ids of objects of earlier runs that have not been deleted since. */
const existing = (
  { imported, existing: all }: TargetState,
  kind: 'organization' | 'project' | 'service_account',
): readonly number[] => [...imported[kind]].filter(([, id]) => all[kind].has(id)).map(([sourceId]) => Number(sourceId));

function planNewOrganizations(given: readonly ImportedOrganization[], { here, rules }: OrganizationsContext) {
  const tally = new ImportTally('organizations');
  const taken = here.accounts
    .filter(({ username }) => username.startsWith(organizationPrefix))
    .map(({ username }) => rules.lookalikeKey(username.slice(organizationPrefix.length)));
  const names = new OrganizationNames(taken, rules);
  const rows: ImportedOrganization[] = [];
  for (const organization of given) {
    if (here.imported.organization.has(String(organization.sourceId))) {
      tally.addExisting();
      continue;
    }
    const outcome = withFreeName(organization, names);
    rows.push(outcome.row);
    tally.add(rowLabel('organization', organization.label, organization.name), [outcome]);
  }
  return { rows, report: tally.report };
}

/** Names that are taken. Remembers the last number of each name, so that many equal names take linear time. */
class OrganizationNames {
  readonly #taken: Set<string>;
  readonly #counts = new Map<string, number>();
  readonly #keyOf: (name: string) => string;

  constructor(taken: readonly string[], { lookalikeKey }: OrganizationsContext['rules']) {
    this.#taken = new Set(taken);
    this.#keyOf = lookalikeKey;
  }

  /** The name, with a number if it is taken. */
  take(wanted: string): string {
    const key = this.#keyOf(wanted);
    let [name, count] = [wanted, this.#counts.get(key) ?? 1];
    while (this.#taken.has(this.#keyOf(name))) {
      count += 1;
      name = `${wanted} ${count}`;
    }
    this.#counts.set(key, count);
    this.#taken.add(this.#keyOf(name));
    return name;
  }
}

function withFreeName(organization: ImportedOrganization, names: OrganizationNames): ImportedRow<ImportedOrganization> {
  const name = names.take(organization.name);
  const { changes } = organization;
  if (name === organization.name) return { row: organization, changes };
  const renamed = `is renamed to ${JSON.stringify(name)} because the name is taken`;
  return { row: { ...organization, name }, changes: [...changes, renamed] };
}

interface Owned {
  readonly sourceId: number;
  readonly organization: number;
}

interface OwnedSteps<Row> {
  /** Plural, for the report. */
  readonly name: string;
  /** Maximum number per organization. */
  readonly max: number;
  readonly isHere: (row: Row) => boolean;
  readonly labelOf: (row: Row) => string;
  readonly faultOf: (row: Row) => { readonly reason: string } | undefined;
}

function planOwned<Row extends Owned>(given: readonly Row[], steps: OwnedSteps<Row>) {
  const tally = new ImportTally(steps.name);
  const counts = new Map<number, number>();
  const rows: Row[] = [];
  for (const row of given) {
    if (steps.isHere(row)) {
      tally.addExisting();
      continue;
    }
    const count = counts.get(row.organization) ?? 0;
    const tooMany = count >= steps.max ? { reason: `exceeds the maximum of ${steps.max} per organization` } : undefined;
    const outcome: MappedRow<Row> = steps.faultOf(row) ?? tooMany ?? { row, changes: [] };
    tally.add(steps.labelOf(row), [outcome]);
    if (!('row' in outcome)) continue;
    counts.set(row.organization, count + 1);
    rows.push(row);
  }
  return { rows, report: tally.report };
}
