import {
  type Log,
  type OrganizationUsageAxis,
  organizationTag,
  type organizationUsageApi,
  type Parsed,
  type Statement,
  type Usage,
  type UsageAxis,
} from '@headgate/contract';
import type { Client, ExportFile, Page } from '../../http/handlers.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { requestedFormat } from '../../records/exports/export-format.ts';
import type { LogExportService } from '../../records/logs/log-export-service.ts';
import { type LogTag, parseLogFilter } from '../../records/logs/log-filter.ts';
import type { OwnLogService } from '../../records/logs/own-log-service.ts';
import type { StatementReader } from '../../records/statements/statement-service.ts';
import { ownMeasure, withoutCost } from '../../records/usage/own-usage.ts';
import { parseUsageCriteria, type UsageCriteria } from '../../records/usage/usage-request.ts';
import type { OrganizationAccess, OrganizationCaller } from './organization-access.ts';
import type { OrganizationMemberRepository } from './organization-member-repository.ts';
import type { ProjectRepository } from './project-repository.ts';

type Query<Name extends keyof typeof organizationUsageApi> = Parsed<(typeof organizationUsageApi)[Name]>['query'];

interface OrganizationUsageServiceDependencies {
  readonly access: OrganizationAccess;
  readonly members: OrganizationMemberRepository;
  readonly projects: ProjectRepository;
  readonly ownLogs: OwnLogService;
  readonly logExports: LogExportService;
  readonly usage: { read(criteria: UsageCriteria): Promise<Usage> };
  readonly statements: StatementReader;
}

interface Scope {
  readonly member_id: number;
  readonly project_id: number;
  readonly service_account_id: number;
}

/** Requests, usage and statements of an organization. Members without further permissions see only their own. */
export class OrganizationUsageService {
  readonly #dependencies: OrganizationUsageServiceDependencies;

  constructor(dependencies: OrganizationUsageServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async logs(actor: UserRow, id: number, query: Query<'logs'>): Promise<Page<Log[]>> {
    const scope = await this.#scope(actor, id, query);
    return this.#dependencies.ownLogs.page({ ...query, user_id: id, scope }, query);
  }

  async exportLogs(actor: UserRow, id: number, query: Query<'exportLogs'>, client: Client): Promise<ExportFile> {
    const scope = await this.#scope(actor, id, query);
    const format = { ...requestedFormat(query, client), isForAdmins: false };
    return this.#dependencies.logExports.start(actor, parseLogFilter({ ...query, user_id: id, scope }), format);
  }

  async usage(actor: UserRow, id: number, { rows, columns, ...query }: Query<'usage'>): Promise<Usage> {
    const { member_id, project_id, service_account_id, ...rest } = query;
    const scope = await this.#scope(actor, id, { member_id, project_id, service_account_id });
    const keys = [rows, columns].flatMap((axis) => (isTagAxis(axis) ? [tagOfAxis[axis]] : []));
    const tags = new Set([...keys, ...scope.map(([key]) => key)]);
    // Usage is rolled up by one tag key at a time.
    if (tags.size > 1 || keys.length > 1) throw new ApiError('oneUsageTag');
    const [tag = ''] = tags;
    const [, tag_value = ''] = scope[0] ?? [];
    const axes = { rows: axisOf(rows), columns: columns === '' ? ('' as const) : axisOf(columns) };
    const measure = ownMeasure(query.measure);
    const read = await this.#dependencies.usage.read(
      parseUsageCriteria({ ...rest, ...axes, measure, tag, tag_value, group: '', user_id: id }),
    );
    const names = await this.#names(id, isTagAxis(rows) ? rows : columns);
    const named = (headings: Usage['rows'], axis: string) =>
      isTagAxis(axis) ? headings.map((one) => ({ ...one, label: names.get(one.key) ?? one.label })) : headings;
    return withoutCost({ ...read, rows: named(read.rows, rows), columns: named(read.columns, columns) });
  }

  async statement(
    actor: UserRow,
    id: number,
    { member_id, project_id, ...period }: Query<'statement'>,
  ): Promise<Statement> {
    const caller = await this.#dependencies.access.require(actor, id, 'see');
    const isOwn = member_id === actor.id && project_id === 0 && caller.role !== undefined;
    if (!isOwn && !caller.may('see_statements')) throw new ApiError('organizationRole');
    const [tag, ...others] = tagsOf({ member_id, project_id, service_account_id: 0 });
    if (others.length > 0) throw new ApiError('oneUsageTag');
    const account = { id, username: caller.organization.username };
    return this.#dependencies.statements.of(account, period, tag && { tag: tag[0], tag_value: tag[1] });
  }

  /** Tags of the requests that the caller may see. */
  async #scope(actor: UserRow, id: number, wanted: Scope): Promise<readonly LogTag[]> {
    const caller = await this.#dependencies.access.require(actor, id, 'see');
    if (caller.may('see_usage')) return tagsOf(wanted);
    return tagsOf({ ...wanted, ...ownScope(caller, wanted) });
  }

  async #names(id: number, axis: OrganizationUsageAxis | ''): Promise<ReadonlyMap<string, string>> {
    const { members, projects } = this.#dependencies;
    const rows = {
      member: async () => (await members.of(id)).map((row) => [String(row.user_id), row.username] as const),
      project: async () => (await projects.projects(id)).map((row) => [String(row.id), row.name] as const),
      service_account: async () =>
        (await projects.serviceAccounts(id)).map((row) => [String(row.id), row.name] as const),
    };
    return new Map(isTagAxis(axis) ? await rows[axis]() : []);
  }
}

const tagOfAxis = {
  member: organizationTag.member,
  project: organizationTag.project,
  service_account: organizationTag.serviceAccount,
} as const;

const isTagAxis = (axis: string): axis is keyof typeof tagOfAxis => Object.hasOwn(tagOfAxis, axis);

const axisOf = (axis: OrganizationUsageAxis): UsageAxis => (isTagAxis(axis) ? 'tag' : axis);

/** Members without `see_usage` get "not found" for other members and service accounts. */
function ownScope({ user }: OrganizationCaller, { member_id, service_account_id }: Scope) {
  if ((member_id !== 0 && member_id !== user.id) || service_account_id !== 0) throw new ApiError('organizationRole');
  return { member_id: user.id };
}

const tagsOf = ({ member_id, project_id, service_account_id }: Scope): readonly LogTag[] => {
  const ids: readonly (readonly [string, number])[] = [
    [organizationTag.member, member_id],
    [organizationTag.project, project_id],
    [organizationTag.serviceAccount, service_account_id],
  ];
  return ids.filter(([, id]) => id !== 0).map(([key, id]) => [key, String(id)]);
};
