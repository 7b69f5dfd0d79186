import { logType, type OrganizationRole, type organizationApi, type Parsed, type Project } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { fileSource, type MembershipService } from './membership-service.ts';
import type { OrganizationMemberRepository } from './organization-member-repository.ts';
import type { OrganizationRepository, OrganizationRow } from './organization-repository.ts';
import type { OrganizationService } from './organization-service.ts';
import type { ProjectRepository } from './project-repository.ts';
import type { ProjectService } from './project-service.ts';

interface OrganizationFileServiceDependencies {
  readonly organizations: OrganizationRepository;
  readonly members: OrganizationMemberRepository;
  readonly projects: ProjectRepository;
  readonly memberships: MembershipService;
  readonly organizationService: OrganizationService;
  readonly projectService: ProjectService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

interface FileMember {
  /** Id of the membership. */
  readonly id: number;
  readonly username: string;
  readonly role: OrganizationRole;
  /** True if the file added the member. */
  readonly isOfFile: boolean;
}

export interface FileOrganization extends Pick<OrganizationRow, 'id' | 'name' | 'group' | 'status'> {
  readonly members: readonly FileMember[];
}

interface Lookup {
  readonly names: readonly string[];
  readonly ids: readonly number[];
}

interface WantedMember {
  readonly userId: number;
  readonly username: string;
  readonly role: OrganizationRole;
}

type Update = Parsed<typeof organizationApi.update>['body'];
type WrittenProject = Pick<Project, 'name' | 'models' | 'fixed_tags'> & {
  /** Undefined for a new project. */
  readonly id: number | undefined;
  readonly status: 1 | 2;
};

/** Organizations as a configuration file describes them. */
export class OrganizationFileService {
  readonly #dependencies: OrganizationFileServiceDependencies;

  constructor(dependencies: OrganizationFileServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async all(): Promise<FileOrganization[]> {
    return this.#withMembers(await this.#dependencies.organizations.all());
  }

  /** Organizations with one of these names or ids. */
  async find({ names, ids }: Lookup): Promise<FileOrganization[]> {
    return this.#withMembers(await this.#dependencies.organizations.named(names, ids));
  }

  /** Projects of the organizations with these names, and those with these ids. */
  async projects({ names, ids }: Lookup): Promise<{ organization: string; project: Project }[]> {
    const { organizations, projects } = this.#dependencies;
    const owners = await projects.organizationsOf(ids);
    const found: { organization: string; project: Project }[] = [];
    for (const { id, name } of await organizations.named(names, owners))
      for (const project of await projects.projects(id)) found.push({ organization: name, project });
    return found;
  }

  /** Without an owner: the file adds the members. */
  create(actor: UserRow, name: string, group: string): Promise<number> {
    const { organizations, memberships, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const id = await organizations.within(transaction).insert(name, group);
      if (id === undefined) throw new ApiError('organizationNameTaken');
      const { username } = await memberships.lock(transaction, id);
      await logs.record(transaction, {
        type: logType.management,
        event: 'organization.created',
        user: { id, username },
        values: { user: actor.username, organization: name },
      });
      return id;
    });
  }

  async update(actor: UserRow, update: Update): Promise<void> {
    await this.#dependencies.organizationService.update(actor, update);
  }

  remove(actor: UserRow, id: number): Promise<void> {
    return this.#dependencies.organizationService.remove(actor, id);
  }

  /**
   * Adds members and sets their roles. Members whom the file added earlier are removed when they are no longer in it;
   * others stay.
   */
  setMembers(actor: UserRow, id: number, wanted: readonly WantedMember[]): Promise<void> {
    const { memberships, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const organization = await memberships.lock(transaction, id);
      // Set owners first: demoting the last owner fails.
      const isOwner = ({ role }: WantedMember) => role === 'owner';
      for (const member of [...wanted.filter(isOwner), ...wanted.filter((one) => !isOwner(one))])
        await this.#setMember(transaction, actor, organization, member);
      const isWanted = new Set(wanted.map(({ userId }) => userId));
      for (const member of await memberships.of(transaction, id))
        if (member.source === fileSource && !isWanted.has(member.user_id))
          await memberships.remove(transaction, organization, member, { by: actor.username });
    });
  }

  async #setMember(
    transaction: Transaction,
    actor: UserRow,
    organization: OrganizationRow,
    { userId, username, role }: WantedMember,
  ): Promise<void> {
    const { memberships } = this.#dependencies;
    const before = await memberships.find(transaction, organization.id, userId);
    if (before) await memberships.setRole(transaction, organization, before, { role, by: actor.username });
    else await memberships.add(transaction, organization, { id: userId, username }, { role, source: fileSource });
  }

  async writeProject(actor: UserRow, organization: number, { id, status, ...fields }: WrittenProject): Promise<number> {
    const { projectService } = this.#dependencies;
    const written = id ?? (await projectService.createProject(actor, organization, fields)).id;
    await projectService.updateProject(actor, organization, { id: written, status, ...fields });
    return written;
  }

  async removeProject(actor: UserRow, id: number): Promise<void> {
    const [organization] = await this.#dependencies.projects.organizationsOf([id]);
    if (organization !== undefined) await this.#dependencies.projectService.removeProject(actor, organization, id);
  }

  async #withMembers(rows: readonly OrganizationRow[]): Promise<FileOrganization[]> {
    const found: FileOrganization[] = [];
    for (const { id, name, group, status } of rows) {
      const members = (await this.#dependencies.members.of(id)).map((member) => ({
        id: member.id,
        username: member.username,
        role: member.role,
        isOfFile: member.source === fileSource,
      }));
      found.push({ id, name, group, status, members });
    }
    return found;
  }
}
