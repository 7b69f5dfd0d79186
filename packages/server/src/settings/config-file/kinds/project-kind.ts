import { formatTag, type Project, projectApi, projectStatus, splitCommas } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { ConfigFile } from '../config-file.ts';
import type { ProjectEntry } from '../organization-entries.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenProject {
  readonly organization: string;
  readonly previousOrganization: string | undefined;
  readonly name: string;
  readonly models: string;
  readonly fixed_tags: string;
  readonly enabled: boolean;
}

/** Name of a project in plans. */
const fullName = (organization: string, project: string): string => `${organization}/${project}`;

/** Projects of the organizations in the file. */
export const projectKind: ObjectKind<GivenProject> = {
  kind: 'project',
  section: 'organizations',

  wanted(file) {
    const all = Object.entries(file.document.organizations ?? {}).flatMap(([name, { projects, ...organization }]) =>
      Object.entries(projects).map(([project, entry]) =>
        wantedProject(file, { name, previousName: organization.previous_name }, project, entry),
      ),
    );
    const seen = new Set<string>();
    for (const { name, input } of all) {
      if (seen.has(name))
        throw file.errorAt(
          ['organizations', input.organization],
          'has a project whose full name (organization/project) is used twice.',
        );
      seen.add(name);
    }
    return all;
  },

  async found({ organizations }, { wanted, ids }) {
    const names = wanted.flatMap(({ input }) => [input.organization, input.previousOrganization ?? input.organization]);
    const found = await organizations.projects({ names: [...new Set(names)], ids });
    return found.map(
      ({ organization, project }): StoredObject => ({
        id: project.id,
        name: fullName(organization, project.name),
        fields: storedFields(project),
      }),
    );
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeProject(writing, change)));
  },

  async remove({ actor, organizations }, found) {
    await mapSequentially(found, ({ id }) => organizations.removeProject(actor, id));
  },
};

interface GivenOwner {
  readonly name: string;
  readonly previousName: string | undefined;
}

function wantedProject(
  file: ConfigFile,
  owner: GivenOwner,
  name: string,
  { models, tags, enabled, previous_name: previous }: ProjectEntry,
): DesiredObject<GivenProject> {
  const path = ['organizations', owner.name, 'projects', name];
  const given = { name, models: models.join(','), fixed_tags: Object.entries(tags).map(formatTag).join(',') };
  const parsed = file.validated(path, projectApi.create.body, given);
  if (parsed.name !== name) throw file.errorAt(path, 'has spaces around its name.');
  const isRenamed = owner.previousName !== undefined || previous !== undefined;
  return {
    name: fullName(owner.name, name),
    previousName: isRenamed ? fullName(owner.previousName ?? owner.name, previous ?? name) : undefined,
    fields: fieldsOf({ ...parsed, enabled }),
    input: { ...parsed, enabled, organization: owner.name, previousOrganization: owner.previousName },
  };
}

const fieldsOf = ({
  models,
  fixed_tags,
  enabled,
}: Pick<GivenProject, 'models' | 'fixed_tags' | 'enabled'>): Fields => ({
  models: splitCommas(models).join(','),
  tags: splitCommas(fixed_tags).join(','),
  enabled,
});

const storedFields = ({ status, ...project }: Project): Fields =>
  fieldsOf({ ...project, enabled: status === projectStatus.enabled });

async function writeProject(
  { services: { actor, organizations }, idOf }: WriteContext<GivenProject>,
  { wanted: { input }, found }: WrittenChange<GivenProject>,
): Promise<number> {
  const { name, models, fixed_tags, enabled } = input;
  const organization = idOf('organization', input.organization);
  if (organization === undefined) throw new ApiError('notFound');
  const status = enabled ? projectStatus.enabled : projectStatus.disabled;
  return organizations.writeProject(actor, organization, { id: found?.id, name, models, fixed_tags, status });
}
