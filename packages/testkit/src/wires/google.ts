import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect } from 'vitest';
import { type ReceivedRequest, reply, stream, type UpstreamHandler } from '../upstreams/stub-upstream.ts';
import { claudeError, claudeEvents, claudeMessage, claudeRequest, claudeUsage } from './anthropic.ts';
import {
  channelKey,
  dataEvents,
  defaultUsage,
  instruction,
  limit,
  namedEvents,
  question,
  type ResponseMode,
  responseChunks,
  tool,
  toolInput,
  type Wire,
  type WireRequest,
} from './wire.ts';

const model = 'gemini-2.0-flash';

const geminiRequest = ({ hasTools }: WireRequest) => ({
  contents: [{ role: 'user', parts: [{ text: question }] }],
  systemInstruction: { parts: [{ text: instruction }] },
  generationConfig: { maxOutputTokens: limit },
  ...(hasTools && {
    tools: [
      {
        functionDeclarations: [
          { name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters },
        ],
      },
    ],
  }),
  safetySettings: expect.any(Array),
});

const piece = (parts: readonly object[], isLast: boolean) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...(isLast && { finishReason: 'STOP' }) }],
  usageMetadata: isLast
    ? { promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 15 }
    : { promptTokenCount: 10, totalTokenCount: 10 },
  modelVersion: model,
  responseId: 'r1',
});

function geminiResponse({ isStream, isCall }: ResponseMode): UpstreamHandler {
  const parts = isCall
    ? [{ functionCall: { name: tool.name, args: toolInput } }]
    : responseChunks.map((text) => ({ text }));
  if (!isStream) return reply(piece(parts, true));
  return stream(dataEvents(parts.map((part, index) => piece([part], index === parts.length - 1))));
}

/** Gemini reports an invalid key as a malformed request. */
const geminiError: Wire['reject'] = (message) =>
  reply({ error: { code: 400, message, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } }, 400);

const gemini: Wire = {
  type: 24,
  name: 'Gemini',
  model,
  hasTools: true,
  usage: defaultUsage,
  channel: () => ({ key: channelKey }),
  expectRequest(request, requested) {
    const action = requested.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    expect(request).toMatchObject({
      method: 'POST',
      path: `/v1beta/models/${model}:${action}`,
      headers: { 'x-goog-api-key': channelKey, 'content-type': 'application/json' },
    });
    expect(request.body).toEqual(geminiRequest(requested));
  },
  respond: geminiResponse,
  reject: geminiError,
};

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const email = 'gate@project-1.iam.gserviceaccount.com';

function vertexChannel(url: string) {
  const account = {
    type: 'service_account',
    project_id: 'project-1',
    private_key_id: 'kid-1',
    private_key: privateKey,
    client_email: email,
    token_uri: `${url}/token`,
  };
  const config = { region: 'us-east5', vertex_ai_project_id: 'project-1', vertex_ai_adc: JSON.stringify(account) };
  return { key: Object.values(config).join('|'), config: JSON.stringify(config) };
}

/** Issues an access token for a JWT signed by the service account. */
function vertexExchange(request: ReceivedRequest, url: string): UpstreamHandler | undefined {
  if (request.path !== '/token') return undefined;
  const form = new URLSearchParams(request.text);
  const [head = '', claims = '', signature = ''] = form.get('assertion')?.split('.') ?? [];
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    createPublicKey(publicKey),
    Buffer.from(signature, 'base64url'),
  );
  const now = Date.now() / 1000;
  const given = jsonIn(claims);
  const isFine =
    isSigned &&
    form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
    jsonIn(head)['alg'] === 'RS256' &&
    jsonIn(head)['kid'] === 'kid-1' &&
    given['iss'] === email &&
    given['aud'] === `${url}/token` &&
    given['scope'] === 'https://www.googleapis.com/auth/cloud-platform' &&
    Math.abs(Number(given['iat']) - now) < 60 &&
    Number(given['exp']) - Number(given['iat']) === 3600;
  return isFine
    ? reply({ access_token: accessToken, expires_in: 3599, token_type: 'Bearer' })
    : reply({ error: 'invalid_grant', error_description: 'Invalid JWT signature.' }, 400);
}

const accessToken = 'ya29.token-of-an-hour';

const jsonIn = (part: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

function expectAtVertex(request: ReceivedRequest, version: string, path: string): void {
  expect(request).toMatchObject({
    method: 'POST',
    path: `/${version}/projects/project-1/locations/us-east5/publishers/${path}`,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
  });
}

const vertexGemini: Wire = {
  type: 42,
  name: 'Vertex with Gemini',
  model,
  hasTools: true,
  usage: defaultUsage,
  channel: vertexChannel,
  exchange: vertexExchange,
  respond: geminiResponse,
  expectRequest(request, requested) {
    const action = requested.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    expectAtVertex(request, 'v1beta1', `google/models/${model}:${action}`);
    expect(request.body).toEqual(geminiRequest(requested));
  },
  reject: (message) => reply({ error: { code: 401, message, status: 'UNAUTHENTICATED' } }, 401),
};

const vertexClaude: Wire = {
  type: 42,
  name: 'Vertex with Claude',
  model: 'claude-3-5-sonnet-v2@20241022',
  hasTools: true,
  usage: claudeUsage,
  channel: vertexChannel,
  exchange: vertexExchange,
  reject: claudeError,
  expectRequest(request, requested) {
    const action = requested.isStream ? 'streamRawPredict' : 'rawPredict';
    expectAtVertex(request, 'v1', `anthropic/models/claude-3-5-sonnet-v2@20241022:${action}`);
    expect(request.body).toEqual({
      anthropic_version: 'vertex-2023-10-16',
      ...claudeRequest(requested),
      ...(requested.isStream && { stream: true }),
    });
  },
  respond: ({ isStream, isCall }) =>
    isStream ? stream(namedEvents(claudeEvents(isCall))) : reply(claudeMessage(isCall)),
};

export const googleWires: readonly Wire[] = [gemini, vertexGemini, vertexClaude];
