import type {
  organizationBudgetApi,
  organizationTokenApi,
  organizationUsageApi,
  projectApi,
  serviceAccountApi,
} from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { OrganizationBudgetService } from './organization-budget-service.ts';
import type { OrganizationTokenService } from './organization-token-service.ts';
import type { OrganizationUsageService } from './organization-usage-service.ts';
import type { ProjectService } from './project-service.ts';

export const organizationTokenRoutes = (tokens: OrganizationTokenService): Handlers<typeof organizationTokenApi> => ({
  list: ({ caller, params, query }) => tokens.page(caller, params.id, query),
  get: ({ caller, params }) => tokens.get(caller, params.id, params.token),
  create: ({ caller, params, body }) => tokens.create(caller, params.id, body),
  update: ({ caller, params, body }) => tokens.update(caller, params.id, body),
  rotate: ({ caller, params, body }) => tokens.rotate(caller, params.id, params.token, body.grace),
  remove: async ({ caller, params }) => {
    await tokens.remove(caller, params.id, params.token);
    return undefined;
  },
  move: ({ caller, params, body }) => tokens.move(caller, params.id, body),
});

export const organizationBudgetRoutes = (
  budgets: OrganizationBudgetService,
): Handlers<typeof organizationBudgetApi> => ({
  list: ({ caller, params }) => budgets.list(caller, params.id),
  create: ({ caller, params, body }) => budgets.create(caller, params.id, body),
  update: ({ caller, params, body }) => budgets.update(caller, params.id, body),
  remove: async ({ caller, params }) => {
    await budgets.remove(caller, params.id, params.budget);
    return undefined;
  },
});

export const organizationUsageRoutes = (usage: OrganizationUsageService): Handlers<typeof organizationUsageApi> => ({
  logs: ({ caller, params, query }) => usage.logs(caller, params.id, query),
  exportLogs: ({ caller, params, query, client }) => usage.exportLogs(caller, params.id, query, client),
  usage: ({ caller, params, query }) => usage.usage(caller, params.id, query),
  statement: ({ caller, params, query }) => usage.statement(caller, params.id, query),
});

export const projectRoutes = (projects: ProjectService): Handlers<typeof projectApi> => ({
  list: ({ caller, params }) => projects.projects(caller, params.id),
  get: ({ caller, params }) => projects.project(caller, params.id, params.project),
  create: ({ caller, params, body }) => projects.createProject(caller, params.id, body),
  update: ({ caller, params, body }) => projects.updateProject(caller, params.id, body),
  remove: async ({ caller, params }) => {
    await projects.removeProject(caller, params.id, params.project);
    return undefined;
  },
});

export const serviceAccountRoutes = (projects: ProjectService): Handlers<typeof serviceAccountApi> => ({
  list: ({ caller, params }) => projects.serviceAccounts(caller, params.id),
  create: ({ caller, params, body }) => projects.createServiceAccount(caller, params.id, body.name),
  remove: async ({ caller, params }) => {
    await projects.removeServiceAccount(caller, params.id, params.service_account);
    return undefined;
  },
});
