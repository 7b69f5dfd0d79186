import { organizationRoles, projectNameLength } from '@headgate/contract';
import { z } from 'zod';
import { nameSchema, previousName } from './destination-entries.ts';

const names = z.array(z.string().trim().min(1).max(200)).max(5000);

const project = z.strictObject({
  models: names.default([]).describe('Allowed models; all if omitted'),
  tags: z.record(z.string(), z.string()).default({}).describe('Tags of all requests; clients cannot change them'),
  enabled: z.boolean().default(true),
  previous_name: previousName,
});
export type ProjectEntry = z.output<typeof project>;

/** An organization with its members and projects; its budgets are in the section `budgets`. */
export const organizationEntry = z.strictObject({
  groups: names.default(['default']).describe('Groups whose channels serve the organization'),
  enabled: z.boolean().default(true),
  members: z
    .record(nameSchema(100), z.enum(organizationRoles))
    .default({})
    .describe('Role of each member, by username'),
  projects: z.record(nameSchema(projectNameLength.max), project).default({}),
  previous_name: previousName,
});
export type OrganizationEntry = z.output<typeof organizationEntry>;
