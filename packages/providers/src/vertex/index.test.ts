import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { rfc7515Key } from '../testing/rfc7515-key.ts';
import { credential, embeddings, images, vertex } from './index.ts';

const account = {
  type: 'service_account',
  project_id: 'our-project',
  private_key_id: 'key-1',
  private_key: rfc7515Key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  client_email: 'gateway@our-project.iam.gserviceaccount.com',
};

const upstreamWith = (json: JsonObject, baseUrl = ''): Upstream => ({
  ...testUpstream,
  baseUrl,
  key: `us-east5|our-project|${JSON.stringify(json, null, 2)}`,
  credential: 'token',
});

describe('Vertex access tokens', () => {
  test('sends a signed claim for a service account', () => {
    const request = credential.request(upstreamWith(account));
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const form = new URLSearchParams(request?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    expect(parsed(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(parsed(claims)).toEqual({
      iss: 'gateway@our-project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1_735_689_600,
      exp: 1_735_693_200,
    });
    const isProven = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      createPublicKey(rfc7515Key),
      Buffer.from(signature, 'base64url'),
    );
    expect(isProven).toBe(true);
  });

  test('refreshes the token of a user account', () => {
    const user = { type: 'authorized_user', client_id: 'id', client_secret: 'hidden', refresh_token: 'long' };
    expect(Object.fromEntries(new URLSearchParams(credential.request(upstreamWith(user))?.body))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'id',
      client_secret: 'hidden',
      refresh_token: 'long',
    });
  });

  test('requests no token with an API key', () => {
    expect(credential.request({ ...testUpstream, key: 'us-east5|our-project|AQ.key' })).toBeUndefined();
  });

  test.each([
    'http://169.254.169.254/token',
    'https://evil.test/token',
    'https://oauth2.googleapis.com.evil.test/token',
  ])('never requests a token from %s', (token_uri) => {
    const requested = upstreamWith({ ...account, token_uri });
    expect(() => credential.request(requested)).toThrow(expect.objectContaining({ status: 401 }));
  });

  test("requests tokens from Google's other URLs and the channel's own", () => {
    for (const [token_uri, baseUrl] of [
      ['https://www.googleapis.com/oauth2/v4/token', ''],
      ['http://127.0.0.1:8080/token', 'http://127.0.0.1:8080/vertex'],
    ] as const) {
      expect(credential.request(upstreamWith({ ...account, token_uri }, baseUrl))?.url).toBe(token_uri);
    }
    const near = upstreamWith({ ...account, token_uri: 'http://127.0.0.1:80801/token' }, 'http://127.0.0.1:8080');
    expect(() => credential.request(near)).toThrow(expect.objectContaining({ status: 401 }));
  });

  test('rejects an invalid key without revealing it', () => {
    expect(() => credential.request(upstreamWith({ ...account, private_key: 'not a key' }))).toThrow(
      expect.objectContaining({ status: 401, message: expect.not.stringContaining('not a key') }),
    );
  });

  test('reads the token and its lifetime', () => {
    expect(credential.read({ access_token: 'ya29.x', expires_in: 3599, token_type: 'Bearer' })).toEqual({
      credential: 'ya29.x',
      seconds: 3599,
    });
    for (const body of [null, {}, { access_token: 3 }])
      expect(() => credential.read(body)).toThrow('Google returned no token');
  });
});

describe('Vertex embeddings', () => {
  const requested = (model: string) => ({ ...upstreamWith(account), model });

  test('requests embeddings as predictions', () => {
    const request = embeddings.encode({ input: ['a', 'b'], dimensions: 256 }, requested('text-embedding-005'));
    expect(request.url).toMatch(/\/publishers\/google\/models\/text-embedding-005:predict$/);
    expect(request.headers).toMatchObject({ authorization: 'Bearer token' });
    expect(JSON.parse(request.body ?? '')).toEqual({
      instances: [{ content: 'a' }, { content: 'b' }],
      parameters: { outputDimensionality: 256 },
    });
    const predictions = [
      { embeddings: { values: [1], statistics: { token_count: 2 } } },
      { embeddings: { values: [2], statistics: { token_count: 3 } } },
    ];
    expect(embeddings.decode({ predictions }, testUpstream)).toMatchObject({
      reply: { data: [{ embedding: [1] }, { embedding: [2] }] },
      usage: { promptTokens: 5 },
    });
  });

  test('sends one content to the newest model', () => {
    const request = embeddings.encode({ input: 'a' }, requested('gemini-embedding-2'));
    expect(request.url).toMatch(/gemini-embedding-2:embedContent$/);
    expect(JSON.parse(request.body ?? '')).toEqual({ content: { parts: [{ text: 'a' }] } });
    expect(() => embeddings.encode({ input: ['a', 'b'] }, requested('gemini-embedding-2'))).toThrow('input');
    expect(
      embeddings.decode({ embedding: { values: [1] }, usageMetadata: { promptTokenCount: 4 } }, testUpstream),
    ).toMatchObject({ reply: { data: [{ embedding: [1] }] }, usage: { promptTokens: 4 } });
  });

  test.each([null, {}, { predictions: [{ embeddings: { values: ['x'] } }] }])(
    'fails on the embeddings response %j',
    (body) => {
      expect(() => embeddings.decode(body, testUpstream)).toThrow(expect.objectContaining({ status: 502 }));
    },
  );
});

describe('Vertex images', () => {
  const requested = { ...upstreamWith(account), model: 'imagen-4.0-generate-001' };
  const bodyOf = (body: JsonObject) => JSON.parse(images.encode(body, requested).body ?? '') as JsonObject;

  test('requests images as predictions, with the closest aspect ratio', () => {
    expect(bodyOf({ prompt: 'a dot', n: 2, size: '1792x1024' })).toEqual({
      instances: [{ prompt: 'a dot' }],
      parameters: { sampleCount: 2, aspectRatio: '16:9' },
    });
    expect(bodyOf({ prompt: 'a dot', size: '1024x1536' })['parameters']).toEqual({
      sampleCount: 1,
      aspectRatio: '3:4',
    });
    expect(bodyOf({ prompt: 'a dot' })['parameters']).toEqual({ sampleCount: 1 });
  });

  test.each([
    ['prompt', {}],
    ['size', { prompt: 'a dot', size: 'large' }],
    ['response_format', { prompt: 'a dot', response_format: 'url' }],
  ])('rejects %s and names the field', (name, body) => {
    expect(() => images.encode(body, requested)).toThrow(name);
  });

  test('returns image data, and reports an empty response as blocked', () => {
    expect(
      images.decode({ predictions: [{ bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }, {}] }, requested),
    ).toEqual({
      reply: { created: 1_735_689_600, data: [{ b64_json: 'AAAA' }] },
    });
    expect(() => images.decode({}, requested)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

test('reads the Vertex model list', () => {
  expect(vertex.modelList?.request(upstreamWith(account))).toEqual({
    method: 'GET',
    url: 'https://us-east5-aiplatform.googleapis.com/v1beta1/publishers/google/models?pageSize=300',
    headers: { authorization: 'Bearer token', 'x-goog-user-project': 'our-project' },
  });
  const publisherModels = ['gemini-2.5-pro', 'text-embedding-005', 'imagen-4.0-generate-001', 'medlm-large'].map(
    (name) => ({ name: `publishers/google/models/${name}` }),
  );
  expect(vertex.modelList?.read({ publisherModels })).toEqual([
    'gemini-2.5-pro',
    'text-embedding-005',
    'imagen-4.0-generate-001',
  ]);
  expect(vertex.modelList?.read(null)).toEqual([]);
});

const parsed = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
