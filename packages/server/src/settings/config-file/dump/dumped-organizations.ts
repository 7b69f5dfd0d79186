import { defaultGroup, parseTags, projectStatus, splitCommas, userStatus } from '@headgate/contract';
import { mapSequentially } from '../kinds/object-kind.ts';
import { type DumpSection, omitDefault } from './dump-section.ts';

/** Organizations with all members and projects. Their budgets are in the section `budgets`. */
export const dumpedOrganizations: DumpSection = {
  kind: 'organization',
  section: 'organizations',
  entries: async ({ services: { organizations } }) =>
    mapSequentially(await organizations.all(), async ({ name, group, status, members }) => {
      const projects = (await organizations.projects({ names: [name], ids: [] })).map(
        ({ project }) =>
          [
            project.name,
            {
              models: omitDefault(splitCommas(project.models), []),
              tags: omitDefault(parseTags(project.fixed_tags), {}),
              enabled: omitDefault(project.status === projectStatus.enabled, true),
            },
          ] as const,
      );
      const entry = {
        groups: omitDefault(splitCommas(group), [defaultGroup]),
        enabled: omitDefault(status === userStatus.enabled, true),
        members: omitDefault(Object.fromEntries(members.map(({ username, role }) => [username, role])), {}),
        projects: omitDefault(Object.fromEntries(projects), {}),
      };
      return [name, entry] as const;
    }),
};
