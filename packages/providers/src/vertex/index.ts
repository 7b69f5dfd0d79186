import { createPrivateKey, type KeyObject } from 'node:crypto';
import {
  listAt,
  numberAt,
  objectAt,
  optionalNumber,
  optionalText,
  RequestProblem,
  requiredText,
  textAt,
  UpstreamProblem,
} from '@headgate/dialects';
import { type EmbeddingRequest, embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import { readGeminiProblem } from '../gemini/generate-response.ts';
import type { CredentialExchange, JsonAdaptor, JsonObject, ModelListCall, Provider, Upstream } from '../provider.ts';
import { rs256Token } from '../signing/jwt.ts';
import { accessHeaders, modelRequest, readServiceAccount, regionBaseUrl } from './address.ts';
import { chatAdaptorFor, generateContentFor, messagesPassThrough } from './chat.ts';
import { vertexModels } from './models.ts';

/** Lists Google's own models; other publishers have no list by region. */
const modelList: ModelListCall = {
  request: (upstream) => {
    const account = readServiceAccount(upstream);
    return {
      method: 'GET',
      url: `${regionBaseUrl(upstream, account)}/v1beta1/publishers/google/models?pageSize=300`,
      headers: {
        ...(account.project !== '' && { 'x-goog-user-project': account.project }),
        ...accessHeaders(upstream, account),
      },
    };
  },
  read: (body) =>
    listAt(body, 'publisherModels')
      .map((model) => textAt(model, 'name').replace(/^.*\//, ''))
      .filter((name) => /^(gemini|imagen)-|embedding/.test(name)),
};

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const request = readEmbeddingRequest(body);
    const isContent = upstream.model.startsWith('gemini-embedding-2');
    return modelRequest(
      upstream,
      { publisher: 'google', version: 'v1beta1', action: isContent ? 'embedContent' : 'predict' },
      isContent ? contentBody(request) : predictBody(request),
    );
  },
  decode: (body, upstream) => {
    const predictions = listAt(body, 'predictions').map((row) => objectAt(row, 'embeddings'));
    const rows = predictions.length > 0 ? predictions : [objectAt(body, 'embedding')];
    const vectors = filterVectors(rows.map((row) => listAt(row, 'values')));
    if (vectors.length < rows.length) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, tokensIn(body, predictions));
  },
  readProblem: readGeminiProblem,
};

const predictBody = ({ texts, dimensions }: EmbeddingRequest): JsonObject => ({
  instances: texts.map((content) => ({ content })),
  ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
});

function contentBody({ texts, dimensions }: EmbeddingRequest): JsonObject {
  const [text] = texts;
  if (texts.length !== 1) throw new RequestProblem('input', 'This model accepts only one input text per request');
  return { content: { parts: [{ text }] }, ...(dimensions !== undefined && { outputDimensionality: dimensions }) };
}

function tokensIn(body: unknown, predictions: readonly unknown[]): number | undefined {
  const counts = predictions.map((row) => numberAt(objectAt(row, 'statistics'), 'token_count'));
  if (counts.some((count) => count !== undefined)) return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return numberAt(objectAt(body, 'usageMetadata'), 'promptTokenCount');
}

/** Imagen adaptor. Imagen returns image data, never a URL. */
export const images: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    if (body['response_format'] === 'url') {
      throw new RequestProblem('response_format', 'This model supports only response_format b64_json');
    }
    const parameters = {
      sampleCount: optionalNumber(body['n'], 'n') ?? 1,
      ...shapeOf(optionalText(body['size'], 'size')),
    };
    return modelRequest(
      upstream,
      { publisher: 'google', version: 'v1beta1', action: 'predict' },
      { instances: [{ prompt: requiredText(body['prompt'], 'prompt') }], parameters },
    );
  },
  decode: (body, upstream) => {
    const data = listAt(body, 'predictions').flatMap((row) => {
      const image = textAt(row, 'bytesBase64Encoded');
      return image === '' ? [] : [{ b64_json: image }];
    });
    // Blocked images are missing from the response.
    if (data.length === 0) throw new UpstreamProblem(400, 'The upstream blocked all images', 'content_filter');
    return { reply: { created: Math.floor(upstream.now / 1000), data } };
  },
  readProblem: readGeminiProblem,
};

const shapes = ['1:1', '4:3', '3:4', '16:9', '9:16'];

/** Closest of Imagen's five aspect ratios to the requested size. */
function shapeOf(size: string | undefined) {
  if (size === undefined || size === 'auto') return {};
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined || height === undefined || Number(height) === 0) {
    throw new RequestProblem('size', 'size must be width x height, such as 1024x1024');
  }
  const wanted = Math.log(Number(width) / Number(height));
  const [nearest] = shapes.toSorted((a, b) => distance(a, wanted) - distance(b, wanted));
  return { aspectRatio: nearest };
}

function distance(shape: string, wanted: number): number {
  const [width, height] = shape.split(':').map(Number);
  return Math.abs(Math.log((width ?? 1) / (height ?? 1)) - wanted);
}

const usualTokenUrl = 'https://oauth2.googleapis.com/token';

/** Google's token URLs: a channel's JSON must not choose another host. */
const tokenUrls: ReadonlySet<string> = new Set([
  usualTokenUrl,
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]);

/** Exchanges an account's long-lived secret for a one-hour token. */
export const credential: CredentialExchange = {
  request: (upstream) => {
    const { secret } = readServiceAccount(upstream);
    if ('apiKey' in secret) return undefined;
    const url = tokenUrlOf(secret.json, upstream);
    return {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(formOf(secret.json, url, upstream.now)).toString(),
    };
  },
  read: (body) => {
    const token = textAt(body, 'access_token');
    if (token === '') throw new UpstreamProblem(502, 'Google returned no token');
    return { credential: token, seconds: numberAt(body, 'expires_in') ?? 3600 };
  },
};

/**
 * Token URL. The channel's base URL is also accepted, because the admin who sets it is already trusted with the
 * credentials.
 */
function tokenUrlOf(account: JsonObject, { baseUrl }: Upstream): string {
  const url = textAt(account, 'token_uri') || usualTokenUrl;
  if (tokenUrls.has(url) || (baseUrl !== '' && url.startsWith(`${new URL(baseUrl).origin}/`))) return url;
  throw new UpstreamProblem(401, "The token_uri of the channel's credentials is not a Google URL");
}

function formOf(account: JsonObject, audience: string, now: number): Record<string, string> {
  const refreshToken = textAt(account, 'refresh_token');
  if (refreshToken !== '') {
    return {
      grant_type: 'refresh_token',
      client_id: textAt(account, 'client_id'),
      client_secret: textAt(account, 'client_secret'),
      refresh_token: refreshToken,
    };
  }
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(account, audience, now) };
}

function assertionOf(account: JsonObject, audience: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const claims = {
    iss: textAt(account, 'client_email'),
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: audience,
    iat,
    exp: iat + 3600,
  };
  const kid = textAt(account, 'private_key_id');
  return rs256Token({ typ: 'JWT', ...(kid !== '' && { kid }) }, claims, privateKeyOf(account));
}

function privateKeyOf(account: JsonObject): KeyObject {
  try {
    return createPrivateKey(textAt(account, 'private_key'));
  } catch {
    throw new UpstreamProblem(401, "The channel's credentials must belong to a service account or a user");
  }
}

/** Vertex AI: the key contains the region, which determines the host. */
export const vertex: Provider = {
  baseUrl: '',
  models: vertexModels,
  chat: chatAdaptorFor,
  messages: messagesPassThrough,
  generateContent: generateContentFor,
  embeddings,
  images,
  credential,
  modelList,
  clientHeaders: ['anthropic-beta'],
};
