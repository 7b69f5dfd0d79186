import { errorCodeHeader, jwtIssuerApi, organizationApi, organizationTokenApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { JwtProvider } from '../../testing/accounts/jwt-provider.ts';
import { jwtFixture } from '../../testing/relay/jwt-fixture.ts';
import { createChannel } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { TagKeys: 'end_user' }, config: { trustedProxies: ['127.0.0.0/8'] } });
const fixture = await jwtFixture(app);
const { provider, owner, root, createOrganization, createAll, createIssuer, serviceToken, change, claimsFor } = fixture;
afterAll(() => fixture.close());

let clients = 0;
/** From a new address, so that the tests do not limit each other. */
const send = (jwt: string, address?: string) => {
  clients += 1;
  const from = address ?? `192.0.2.${clients}`;
  return fixture.ask(jwt, { authorization: `Bearer ${jwt}`, 'x-forwarded-for': from });
};

const { id, issuer } = await createAll();
const valid = () => claimsFor(issuer.audience);
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const invalid = '401 invalid_api_key';

describe('a JWT', () => {
  it('is accepted with a valid signature, issuer, audience and expiry', async () => {
    expect(await send(await provider.sign(valid()))).toBe('200');
  });

  it('[A76.1] is rejected without a signature, or signed with the public key as a shared secret', async () => {
    const publicKey = provider.publicKey;
    for (const alg of ['none', 'None', 'NONE'])
      for (const signature of ['', 'x', 'AAAA'])
        expect(
          await send(`${encoded({ alg, kid: 'first' })}.${encoded({ iss: provider.issuer, ...valid() })}.${signature}`),
        ).toBe(invalid);
    const spki = await exportSPKI((await importJWK(publicKey, 'RS256')) as CryptoKey);
    for (const secret of [spki, spki.trim(), JSON.stringify(publicKey), publicKey.n ?? '']) {
      const forged = new SignJWT({ iss: provider.issuer, ...valid() }).setProtectedHeader({
        alg: 'HS256',
        kid: 'first',
      });
      expect(await send(await forged.sign(new TextEncoder().encode(secret)))).toBe(invalid);
    }
    const [header, , signature] = (await provider.sign(valid())).split('.');
    const changed = encoded({ iss: provider.issuer, ...valid(), sub: 'other' });
    expect(await send(`${header}.${changed}.${signature}`)).toBe(invalid);
  });

  it('[A76.2] is rejected with another issuer or audience, or outside its validity', async () => {
    const now = nowInSeconds();
    const wrong: Record<string, object> = {
      audience: { aud: `${issuer.audience}x` },
      'no audience': { aud: undefined },
      issuer: { iss: `${provider.issuer}/` },
      'not yet valid': { nbf: now + 120 },
      'no expiry': { exp: undefined },
      'no subject': { sub: undefined },
      'empty subject': { sub: '' },
      'long subject': { sub: 'x'.repeat(301) },
      'subject with control characters': { sub: 'robot\n' },
      'subject with an unpaired surrogate': { sub: 'robot\ud800' },
    };
    for (const [name, claims] of Object.entries(wrong))
      expect(await send(await provider.sign({ ...valid(), ...claims })), name).toBe(invalid);
    expect(await send(await provider.sign({ ...valid(), exp: now - 31 }))).toBe('401 token_expired');
    expect(await send(await provider.sign({ ...valid(), exp: now - 5, nbf: now + 5 }))).toBe('200');
  });

  it('[A76.3] cannot name its own key', async () => {
    const thief = await JwtProvider.start();
    await using _ = { [Symbol.asyncDispose]: () => thief.close() };
    const claims = { ...valid(), iss: provider.issuer };
    const headers = [
      { jku: `${thief.issuer}/jwks` },
      { x5u: `${thief.issuer}/jwks` },
      { jwk: thief.publicKey as never },
      { kid: `${thief.issuer}/jwks` },
      { kid: '../../etc/passwd' },
      { kid: "' or 1=1 --" },
      { crit: ['x'], x: 1 } as never,
    ];
    for (const header of headers)
      expect(await send(await thief.sign(claims, header)), JSON.stringify(header)).toBe(invalid);
    expect(thief.keyReads).toBe(0);
    expect(await send(await provider.sign(valid(), { crit: ['x'], x: 1 } as never))).toBe(invalid);
  });

  it('[A76.8] of another type, or bound to a key of the client, is rejected', async () => {
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'kb+jwt'])
      expect(await send(await provider.sign(valid(), { typ })), typ).toBe(invalid);
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt'])
      expect(await send(await provider.sign(valid(), { typ })), typ).toBe('200');
    expect(await send(await provider.sign({ ...valid(), cnf: { jkt: 'x' } }))).toBe(invalid);
  });

  it('[A76.10] decides the end user: the client cannot name another', async () => {
    const tagged = async (sub: string) => {
      const jwt = await provider.sign({ ...valid(), sub });
      const headers = {
        authorization: `Bearer ${jwt}`,
        'x-litellm-end-user-id': 'victim',
        'x-headgate-tags': 'end_user=victim',
      };
      await (await fixture.send(jwt, headers, { user: 'victim' })).text();
      const rows = app.database.selectFrom('logs').select('detail').where('user_id', '=', id).where('type', '=', 2);
      return (await rows.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).detail;
    };
    expect(await tagged('ada')).toContain('"end_user":"ada"');
    const odd = await tagged('ada,end_user=victim"');
    expect(odd).toMatch(/"end_user":"[0-9a-f]{64}"/);
    expect(odd).not.toContain('victim');
  });
});

it('[A76.11] never reaches an upstream or a log', async () => {
  const upstream = await StubUpstream.start(reply({}));
  await using _ = { [Symbol.asyncDispose]: () => upstream.close() };
  await createChannel(fixture.admin, 'default', upstream.url, { name: 'proxied', type: 43, models: '' });
  const rows = app.database.selectFrom('channels').select('id').where('name', '=', 'proxied');
  const { id: channel } = await rows.executeTakeFirstOrThrow();
  const [jwt, other] = [await provider.sign(valid()), await provider.sign({ ...valid(), sub: 'other' })];
  const path = `${app.url}/v1/proxy/${channel}/x`;
  const requests: readonly (readonly [string, Record<string, string>])[] = [
    [`${path}?key=${jwt}&a=1`, {}],
    [`${path}?a=1`, { authorization: `Bearer ${jwt}`, 'x-copy': jwt }],
    [`${path}?key=${other}&a=1`, { 'x-api-key': jwt, 'x-goog-api-key': other }],
  ];
  for (const [url, headers] of requests) expect((await fetch(url, { headers })).status, url).toBe(200);
  const seen = upstream.received.map(({ path: url, headers }) => `${url} ${JSON.stringify(headers)}`);
  expect(seen).toHaveLength(3);
  for (const text of seen) {
    expect(text).toMatch(/^\/x\?a=1 /);
    for (const secret of [jwt, other]) expect(text).not.toContain(secret.slice(-30));
  }
  const logs = await app.database.selectFrom('logs').selectAll().execute();
  for (const secret of [jwt, other]) expect(JSON.stringify(logs)).not.toContain(secret.slice(-30));
});

describe('keys of an issuer', () => {
  it('[A76.4] are read only a few times for 1,000 JWTs with unknown key ids', async () => {
    const { issuer: other } = await createAll();
    expect(await send(await provider.sign(claimsFor(other.audience)))).toBe('200');
    const before = provider.keyReads;
    const [, ...signed] = (await provider.sign(claimsFor(other.audience))).split('.');
    const results = new Set<string>();
    for (let n = 0; n < 1000; n += 1) {
      const header = encoded({ alg: 'RS256', kid: `unknown ${n}` });
      results.add(await send([header, ...signed].join('.'), `198.51.${n % 200}.1`));
    }
    expect([...results]).toEqual([invalid]);
    expect(provider.keyReads - before).toBeLessThanOrEqual(5);
    expect(await send(await provider.sign(claimsFor(other.audience)))).toBe('200');
  });

  it('[A76.7] are never read from private addresses for an owner', async () => {
    const body = { name: 'private', audience: 'urn:private' };
    const codeOf = async (urls: object) =>
      (await owner.send(jwtIssuerApi.create, { params: { id }, body: { ...body, ...urls } })).headers.get(
        errorCodeHeader,
      );
    for (const url of [
      provider.issuer,
      'https://127.0.0.1/x',
      'https://[::1]',
      'http://idp.example',
      'https://169.254.169.254',
    ])
      expect(await codeOf({ issuer: url }), url).toBe('ssoIssuerPrivate');
    expect(await codeOf({ issuer: 'https://idp.example', keys_url: provider.issuer })).toBe('ssoIssuerPrivate');
    // A row that an owner saved, whose name resolves to a private address.
    const { issuer: row } = await createAll();
    await app.database.updateTable('jwt_issuers').set({ is_private_allowed: 0 }).where('id', '=', row.id).execute();
    await change(id, issuer, { not_before: 0 });
    const reads = provider.keyReads;
    expect(await send(await provider.sign(claimsFor(row.audience)))).toBe('503 jwt_keys_unavailable');
    expect(provider.keyReads).toBe(reads);
  });
});

describe('revocation', () => {
  it('[A76.5] takes effect immediately, also for JWTs that were accepted before', async () => {
    const scene = await createAll();
    const jwt = await provider.sign(claimsFor(scene.issuer.audience));
    const steps: readonly (readonly [object, object, string])[] = [
      [{ is_enabled: false }, { is_enabled: true }, invalid],
      [{ blocked_subjects: ['robot'] }, { blocked_subjects: ['robot2'] }, '401 token_disabled'],
      [{ not_before: nowInSeconds() + 60 }, { not_before: 0 }, '401 token_disabled'],
      [{ audience: 'urn:moved' }, { audience: scene.issuer.audience }, invalid],
    ];
    for (const [off, on, code] of steps) {
      expect(await send(jwt)).toBe('200');
      await change(scene.id, scene.issuer, off);
      expect(await send(jwt), JSON.stringify(off)).toBe(code);
      await change(scene.id, scene.issuer, on);
    }
    expect(await send(jwt)).toBe('200');
    await root.call(organizationApi.update, { body: { id: scene.id, sso_allowed: false } });
    expect(await send(jwt)).toBe(invalid);
    await root.call(organizationApi.update, { body: { id: scene.id, sso_allowed: true } });
    expect(await send(jwt)).toBe('200');
    await root.call(jwtIssuerApi.remove, { params: { id: scene.id, jwt_issuer: scene.issuer.id } });
    expect(await send(jwt)).toBe(invalid);
  });

  it('without a time of issue, a JWT counts as issued before any revocation', async () => {
    const scene = await createAll({ not_before: 1 });
    const { iat: _iat, ...claims } = claimsFor(scene.issuer.audience);
    expect(await send(await provider.sign(claims))).toBe('401 token_disabled');
  });
});

describe('organizations', () => {
  it('[A76.6] cannot take over JWTs or API tokens of one another', async () => {
    const [first, second] = [await createAll(), await createOrganization()];
    const codeOf = async (client: typeof root, body: object) =>
      (await client.send(jwtIssuerApi.create, { params: { id: second }, body: { name: 'x', ...body } })).headers.get(
        errorCodeHeader,
      );
    await app.database
      .updateTable('jwt_issuers')
      .set({ issuer: 'https://idp.example' })
      .where('id', '=', first.issuer.id)
      .execute();
    expect(await codeOf(owner, { issuer: 'https://idp.example', audience: 'other' })).toBe('jwtIssuerTaken');
    await change(first.id, first.issuer, { issuer: provider.issuer });
    expect(await codeOf(root, { issuer: provider.issuer, audience: first.issuer.audience })).toBe('jwtIssuerTaken');
    // Shared by a gateway admin.
    const { id: token_id } = await serviceToken(second);
    const shared = await createIssuer(second, { token_id });
    const both = await provider.sign(claimsFor([first.issuer.audience, shared.audience]));
    expect(await send(both)).toBe(invalid);
    expect(await send(await provider.sign(claimsFor([shared.audience, 'account'])))).toBe('200');
    // A token that leaves the service account no longer serves JWTs.
    await app.database.updateTable('tokens').set({ service_account_id: 0 }).where('id', '=', token_id).execute();
    await owner.call(organizationTokenApi.update, { params: { id: second }, body: { id: token_id, note: 'x' } });
    expect(await send(await provider.sign(claimsFor(shared.audience)))).toBe(invalid);
  });
});

describe('invalid JWTs', () => {
  it('[A76.9] that are malformed or too long cause no work, and many from one address get 429 without affecting valid ones', async () => {
    const reads = provider.keyReads;
    const long = await provider.sign({ ...valid(), padding: 'x'.repeat(7000) });
    expect(long.length).toBeGreaterThan(8192);
    for (const jwt of [
      long,
      'eyJ.e30.x',
      'eyJh.W10.AAAA',
      'eyJ',
      'eyJ..',
      'eyJhbGciOiJSUzI1NiJ9.!!.x',
      `eyJ${'.'.repeat(9)}`,
    ])
      expect(await send(jwt), jwt.slice(0, 40)).toBe(invalid);
    const known = await provider.sign(valid());
    const address = '203.0.113.7';
    expect(await send(known, address)).toBe('200');
    const forged = `${(await provider.sign(valid())).slice(0, -20)}${'A'.repeat(20)}`;
    const codes: string[] = [];
    for (let n = 0; n < 62; n += 1)
      codes.push(await send(`${forged.slice(0, -4)}${String(n).padStart(4, '0')}`, address));
    expect(new Set(codes.slice(0, 60))).toEqual(new Set([invalid]));
    expect(codes.slice(-2)).toEqual(['429 too_many_invalid_keys', '429 too_many_invalid_keys']);
    expect(await send(known, address)).toBe('200');
    expect(await send(await provider.sign({ ...valid(), sub: 'new' }), address)).toBe('200');
    expect(provider.keyReads).toBe(reads);
  });
});
