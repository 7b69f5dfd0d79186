import { organizationApi, organizationDirectoryApi, organizationTokenApi } from '@headgate/contract';
import type { TestApp } from '../test-app.ts';
import { organizationFixture } from './organization-fixture.ts';

interface ScimResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ScimBody;
}

/** Fields of the responses that tests read. */
interface ScimBody {
  readonly id: string;
  readonly active: boolean;
  readonly userName: string;
  readonly totalResults: number;
  readonly scimType: string;
  readonly members: readonly { readonly value: string }[];
  readonly Resources: readonly ScimBody[];
}

type ScimCall = (method: string, path: string, body?: unknown) => Promise<ScimResponse>;

/** Directories of organizations in a test app. */
export async function directoryFixture(app: TestApp) {
  const fixture = await organizationFixture(app);
  const root = await app.as('root');
  const { owner } = fixture.people;

  const withToken =
    (token: string): ScimCall =>
    async (method, path, body) => {
      const response = await fetch(`${app.url}/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
    };

  const newScimToken = async (id: number, grace = 0) =>
    owner.client.call(organizationDirectoryApi.createToken, { params: { id }, body: { grace } });

  /** A new organization with a directory. */
  const createDirectory = async () => {
    const id = await fixture.createOrganization();
    await root.call(organizationApi.update, { body: { id, sso_allowed: true } });
    const { token } = await newScimToken(id);
    return { id, token, scim: withToken(token) };
  };

  const accountOf = async (scimId: string) =>
    app.database
      .selectFrom('directory_users')
      .innerJoin('users', 'users.id', 'directory_users.user_id')
      .selectAll('users')
      .where('directory_users.id', '=', Number(scimId))
      .executeTakeFirstOrThrow();

  const roleOf = async (organizationId: number, userId: number): Promise<string | undefined> => {
    const row = await app.database
      .selectFrom('organization_members')
      .select('role')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.role;
  };

  /** API token of an organization whose member is `userId`. */
  const createToken = async (id: number, userId: number, name: string): Promise<number> => {
    const token = await owner.client.call(organizationTokenApi.create, { params: { id }, body: { name } });
    await app.database.updateTable('tokens').set({ creator_id: userId }).where('id', '=', token.id).execute();
    return token.id;
  };

  const tokenStates = async (ids: readonly number[]) =>
    (await app.database.selectFrom('tokens').select('status').where('id', 'in', ids).orderBy('id').execute()).map(
      ({ status }) => status,
    );

  return { ...fixture, root, withToken, newScimToken, createDirectory, accountOf, roleOf, createToken, tokenStates };
}

export const patchOf = (...Operations: readonly object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
