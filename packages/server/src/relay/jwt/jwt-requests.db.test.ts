import { errorCodeHeader, jwtIssuerApi, organizationApi, organizationTokenApi } from '@headgate/contract';
import { afterAll, expect, it } from 'vitest';
import { jwtFixture } from '../../testing/relay/jwt-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { TagKeys: 'end_user' } });
const fixture = await jwtFixture(app);
const { provider, owner, root, createOrganization, createAll, createIssuer, serviceToken, change, ask } = fixture;
afterAll(() => fixture.close());

const logsOf = (id: number) =>
  app.database.selectFrom('logs').selectAll().where('user_id', '=', id).where('type', '=', 2).execute();

it('accepts a JWT of the issuer wherever a client puts its key, and charges the organization', async () => {
  const { id, token, issuer } = await createAll();
  const jwt = await provider.jwt(issuer.audience);
  for (const headers of [
    { authorization: `Bearer ${jwt}` },
    { 'x-api-key': jwt },
    { 'x-goog-api-key': jwt },
    { 'api-key': jwt },
  ])
    expect(await ask(jwt, headers as Record<string, string>), Object.keys(headers)[0]).toBe('200');
  const models = await fetch(`${app.url}/v1/models?key=${jwt}`);
  expect(models.status).toBe(200);
  const rows = await logsOf(id);
  expect(rows).toHaveLength(4);
  for (const row of rows) {
    expect(row.token_name).toBe(token.name);
    expect(row.detail).toContain('"end_user":"robot"');
  }
});

it('selects the API token by the claim, and applies its limits', async () => {
  const id = await createOrganization();
  const [search, mail] = [await serviceToken(id), await serviceToken(id, { models: 'other' })];
  const issuer = await createIssuer(id, {
    claim: 'ci.repository',
    values: [
      { value: 'acme/search', token_id: search.id },
      { value: 'acme/mail', token_id: mail.id },
    ],
  });
  const asOf = async (repository?: unknown) => ask(await provider.jwt(issuer.audience, { ci: { repository } }));
  expect(await asOf('acme/search')).toBe('200');
  expect(await asOf(['x', 'acme/search'])).toBe('200');
  expect(await asOf('acme/mail')).toBe('403 model_not_allowed');
  for (const other of ['acme/Search', 'acme/search/', '', 7, null])
    expect(await asOf(other)).toBe('403 jwt_not_mapped');
  await change(id, issuer, { token_id: search.id });
  expect(await asOf('other')).toBe('200');
  await owner.call(organizationTokenApi.update, { params: { id }, body: { id: search.id, status: 2 } });
  expect(await asOf('other')).toBe('401 token_disabled');
  await owner.call(organizationTokenApi.remove, { params: { id, token: search.id } });
  expect(await asOf('other')).toBe('401 invalid_api_key');
});

it('accepts JWTs signed with a new key of the issuer at once', async () => {
  const { issuer } = await createAll();
  const before = await provider.jwt(issuer.audience);
  expect(await ask(before)).toBe('200');
  await provider.rotateKeys('second');
  expect(await ask(await provider.jwt(issuer.audience))).toBe('200');
});

it('lists, changes and deletes issuers, and records each change', async () => {
  const { id, token, issuer } = await createAll({ blocked_subjects: ['mallory', 'eve'], claim: 'groups' });
  const list = () => owner.call(jwtIssuerApi.list, { params: { id } });
  expect(await list()).toEqual([issuer]);
  expect(issuer).toMatchObject({ issuer: provider.issuer, token_id: token.id, blocked_subjects: ['mallory', 'eve'] });
  const values = [
    { value: 'b', token_id: token.id },
    { value: 'a', token_id: token.id },
  ];
  const changed = await change(id, issuer, { name: 'CI', values, not_before: 5 });
  expect(changed).toEqual({ ...issuer, name: 'CI', values, not_before: 5 });
  expect(await list()).toEqual([changed]);
  await owner.call(jwtIssuerApi.remove, { params: { id, jwt_issuer: issuer.id } });
  expect(await list()).toEqual([]);
  const rows = await app.database.selectFrom('logs').select('content').where('user_id', '=', id).execute();
  expect(rows.map(({ content }) => content.replace(/^\S+ /, ''))).toEqual(
    expect.arrayContaining([
      `created JWT issuer ${issuer.name} (${provider.issuer})`,
      `changed JWT issuer ${issuer.name}: name, not_before, values`,
      'deleted JWT issuer CI',
    ]),
  );
});

it('accepts only API tokens of service accounts of the organization', async () => {
  const [first, second] = [await createOrganization(), await createOrganization()];
  const foreign = await serviceToken(second);
  const own = await owner.call(organizationTokenApi.create, { params: { id: first }, body: { name: 'own' } });
  const codeOf = async (body: object) =>
    (
      await root.send(jwtIssuerApi.create, {
        params: { id: first },
        body: { name: 'x', issuer: provider.issuer, audience: 'urn:tokens', ...body },
      })
    ).headers.get(errorCodeHeader);
  for (const { id } of [foreign, own]) {
    expect(await codeOf({ token_id: id })).toBe('jwtTokenUnknown');
    expect(await codeOf({ values: [{ value: 'x', token_id: id }] })).toBe('jwtTokenUnknown');
  }
  expect(await codeOf({})).toBeNull();
  expect(await codeOf({ name: 'y' })).toBe('jwtIssuerTaken');
  expect(await codeOf({ audience: 'urn:other' })).toBe('jwtIssuerTaken');
  await root.call(organizationApi.update, { body: { id: first, sso_allowed: false } });
  expect(await codeOf({ name: 'z', audience: 'urn:third' })).toBe('ssoNotAllowed');
});
