import { organizationApi, organizationMemberApi, organizationTokenApi, projectApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import type { TestApp } from '../test-app.ts';
import type { EditSample } from './edit-sample.ts';

interface SampleDependencies {
  readonly app: TestApp;
  readonly root: ApiClient;
  /** A new name. */
  readonly fresh: (word: string) => string;
}

/** Objects of organizations, created by the owner. */
export function organizationSamples({ app, root, fresh }: SampleDependencies) {
  const create = async () => (await root.call(organizationApi.create, { body: { name: fresh('org') } })).id;
  return {
    organization: {
      read: organizationApi.get,
      change: organizationApi.update,
      remove: organizationApi.remove,
      make: async () => ({ client: root, id: await create() }),
      get bodies(): readonly [object, object] {
        return [{ name: fresh('one') }, { group: 'vip' }];
      },
    },
    organizationMember: {
      read: organizationMemberApi.get,
      change: organizationMemberApi.update,
      remove: organizationMemberApi.remove,
      make: async () => {
        const within = await create();
        const { id } = await app.createUser();
        const row = { organization_id: within, user_id: id, role: 'member' as const, source: 'admin', created_time: 1 };
        await app.database.insertInto('organization_members').values(row).execute();
        return { client: root, id, within };
      },
      bodies: [{ role: 'viewer' }, { role: 'billing' }],
      names: { path: 'user_id', body: 'user_id' },
    },
    project: {
      read: projectApi.get,
      change: projectApi.update,
      remove: projectApi.remove,
      make: async () => {
        const within = await create();
        const { id } = await root.call(projectApi.create, { params: { id: within }, body: { name: 'p' } });
        return { client: root, id, within };
      },
      bodies: [{ name: 'one' }, { models: 'm' }],
      names: { path: 'project', body: 'id' },
    },
    organizationToken: {
      read: organizationTokenApi.get,
      change: organizationTokenApi.update,
      remove: organizationTokenApi.remove,
      make: async () => {
        const within = await create();
        const { id } = await root.call(organizationTokenApi.create, { params: { id: within }, body: { name: 't' } });
        return { client: root, id, within };
      },
      bodies: [{ name: 'one', models: 'm' }, { note: 'two' }],
      names: { path: 'token', body: 'id' },
    },
  } satisfies Record<string, EditSample>;
}
