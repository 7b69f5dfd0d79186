import {
  type Input,
  type JwtIssuer,
  jwtIssuerApi,
  type OrganizationToken,
  organizationTokenApi,
  serviceAccountApi,
} from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { directoryFixture } from '../accounts/directory-fixture.ts';
import { JwtProvider } from '../accounts/jwt-provider.ts';
import type { TestApp } from '../test-app.ts';
import { relayFixture } from './relay-fixture.ts';

type Issuer = Partial<Input<typeof jwtIssuerApi.create>['body']>;

/** Organizations that accept the JWTs of a provider. */
export async function jwtFixture(app: TestApp) {
  const { root, people, createDirectory } = await directoryFixture(app);
  const scene = await relayFixture(app, { upstreams: [completion()], group: 'default' });
  const provider = await JwtProvider.start();
  const owner = people.owner.client;
  let issuers = 0;

  /** An organization that may use SSO and has credit. */
  const createOrganization = async (): Promise<number> => {
    const { id } = await createDirectory();
    await app.database.updateTable('users').set({ quota: 1e6, credited: 1e6 }).where('id', '=', id).execute();
    return id;
  };

  const serviceToken = async (id: number, body: object = {}): Promise<OrganizationToken> => {
    const account = await owner.call(serviceAccountApi.create, {
      params: { id },
      body: { name: `robot ${performance.now()}` },
    });
    return owner.call(organizationTokenApi.create, {
      params: { id },
      body: { name: 'robot', unlimited_quota: true, service_account_id: account.id, ...body },
    });
  };

  const createIssuer = (id: number, body: Issuer): Promise<JwtIssuer> => {
    issuers += 1;
    const given = { name: `issuer ${issuers}`, issuer: provider.issuer, audience: `urn:gateway:${issuers}`, ...body };
    return root.call(jwtIssuerApi.create, { params: { id }, body: given });
  };

  const change = (id: number, issuer: JwtIssuer, body: object) =>
    root.call(jwtIssuerApi.update, { params: { id }, body: { id: issuer.id, ...body } });

  /** An organization with an issuer, all of whose JWTs use one API token. */
  const createAll = async (body: Issuer = {}) => {
    const id = await createOrganization();
    const token = await serviceToken(id);
    return { id, token, issuer: await createIssuer(id, { token_id: token.id, ...body }) };
  };

  const send = (jwt: string, headers: Record<string, string> = { authorization: `Bearer ${jwt}` }, body: object = {}) =>
    fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body }),
    });

  /** Status and error code of a request. */
  const ask = async (jwt: string, headers?: Record<string, string>): Promise<string> => {
    const response = await send(jwt, headers);
    const { error } = (await response.json()) as { error?: { code: string } };
    return error ? `${response.status} ${error.code}` : String(response.status);
  };

  /** Claims of a JWT that is valid for an hour. */
  const claimsFor = (audience: string | string[], sub = 'robot') => {
    const now = nowInSeconds();
    return { aud: audience, sub, iat: now, exp: now + 3600 };
  };

  return {
    ...{ root, owner, people, provider, createOrganization, serviceToken, createIssuer, createAll, change, send, ask },
    claimsFor,
    admin: scene.admin,
    close: async () => {
      await scene.close();
      await provider.close();
    },
  };
}
