import {
  listAt,
  numberAt,
  objectAt,
  optionalNumber,
  RequestProblem,
  requiredText,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import { embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import { jsonBody } from '../json-body.ts';
import { passThrough } from '../openai-compatible/pass-through.ts';
import type { JsonAdaptor, JsonObject, JsonResult, ModelListCall, Provider, Upstream } from '../provider.ts';
import { chatAdaptorFor, generateContent, modelRequest, modelsUrl } from './chat.ts';
import { readGeminiProblem, toUsage } from './generate-response.ts';
import { geminiModels } from './models.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    const requests = texts.map((text) => ({
      model: `models/${upstream.model}`,
      content: { parts: [{ text }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    }));
    return { ...modelRequest(upstream, 'batchEmbedContents'), body: jsonBody({ requests }, upstream) };
  },
  decode: (body, upstream) => {
    const vectors = filterVectors(listAt(body, 'embeddings').map((row) => listAt(row, 'values')));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, numberAt(objectAt(body, 'usageMetadata'), 'promptTokenCount'));
  },
  readProblem: readGeminiProblem,
};

/** Google also supports OpenAI's dialect, at a separate URL. */
const isCompatible = ({ baseUrl }: Upstream) => baseUrl.endsWith('/openai');

const compatibleChat = passThrough('/chat/completions');
const compatibleEmbeddings = passThrough('/embeddings');
const compatibleImages = passThrough('/images/generations');

const modelList: ModelListCall = {
  request: (upstream) =>
    isCompatible(upstream)
      ? { method: 'GET', url: `${upstream.baseUrl}/models`, headers: { authorization: `Bearer ${upstream.key}` } }
      : { method: 'GET', url: `${modelsUrl(upstream)}?pageSize=1000`, headers: { 'x-goog-api-key': upstream.key } },
  read: (body) =>
    [...listAt(body, 'models').flatMap(offered), ...listAt(body, 'data').map((row) => textAt(row, 'id'))].map(
      withoutPath,
    ),
};

const ours = ['generateContent', 'embedContent', 'predict'];

/** Name of a listed model that the gateway supports; models for live audio, video and similar are skipped. */
function offered(row: unknown): readonly string[] {
  const name = textAt(row, 'name');
  const can = listAt(row, 'supportedGenerationMethods');
  return name !== '' && ours.some((method) => can.includes(method)) ? [name] : [];
}

const withoutPath = (name: string) => name.replace(/^models\//, '');

export const gemini: Provider = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: geminiModels,
  chat: (upstream) => (isCompatible(upstream) ? compatibleChat : chatAdaptorFor(upstream)),
  generateContent: (upstream) => (isCompatible(upstream) ? undefined : generateContent),
  embeddings: (upstream) => (isCompatible(upstream) ? compatibleEmbeddings : embeddings),
  images: (upstream) => (isCompatible(upstream) ? compatibleImages : images),
  modelList,
};

/** Images by Imagen, which only generates images, or by a Gemini chat model. */
export const images: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const image = readPicture(body);
    return isImagen(upstream)
      ? { ...modelRequest(upstream, 'predict'), body: jsonBody(encodeImagen(image), upstream) }
      : { ...modelRequest(upstream, 'generateContent'), body: jsonBody(encodeGemini(image), upstream) };
  },
  decode: (body, upstream) => {
    const drawn = isImagen(upstream)
      ? listAt(body, 'predictions').map(imagenPicture)
      : partsOf(body).map(geminiPicture);
    const data = drawn.filter((image) => image !== '').map((b64_json) => ({ b64_json }));
    const usage = toUsage(body);
    if (data.length === 0) throw missingImageError(body, usage);
    const reply: JsonResult['reply'] = { created: Math.floor(upstream.now / 1000), data };
    return usage ? { reply, usage } : { reply };
  },
  readProblem: readGeminiProblem,
};

const isImagen = ({ model }: Upstream) => model.startsWith('imagen');

interface Picture {
  readonly prompt: string;
  readonly count: number;
  readonly aspectRatio: string | undefined;
}

function readPicture(body: JsonObject): Picture {
  if (body['response_format'] === 'url') {
    throw new RequestProblem('response_format', "The channel's provider returns images only as b64_json");
  }
  return {
    prompt: requiredText(body['prompt'], 'prompt'),
    count: optionalNumber(body['n'], 'n') ?? 1,
    aspectRatio: aspectRatioOf(body['size']),
  };
}

/** Google expects an aspect ratio, not a size. */
function aspectRatioOf(size: unknown): string | undefined {
  if (size == null || size === 'auto') return undefined;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(size)) ?? [];
  if (!Number(width) || !Number(height))
    throw new RequestProblem('size', 'size must be auto or width x height, such as 1024x1024');
  const wanted = Math.log(Number(width) / Number(height));
  const distance = ([across, down]: readonly [number, number]) => Math.abs(Math.log(across / down) - wanted);
  const [nearest] = shapes.toSorted((one, other) => distance(one) - distance(other));
  return nearest?.join(':');
}

/** Aspect ratios that every model supports. */
const shapes: readonly (readonly [number, number])[] = [
  [1, 1],
  [3, 4],
  [4, 3],
  [9, 16],
  [16, 9],
];

const encodeImagen = ({ prompt, count, aspectRatio }: Picture): JsonObject => ({
  instances: [{ prompt }],
  parameters: { sampleCount: count, aspectRatio },
});

function encodeGemini({ prompt, count, aspectRatio }: Picture): JsonObject {
  if (count !== 1) throw new RequestProblem('n', 'The model generates one image per request: set n to 1');
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(aspectRatio !== undefined && { imageConfig: { aspectRatio } }),
    },
  };
}

const imagenPicture = (prediction: unknown) => textAt(prediction, 'bytesBase64Encoded');
const geminiPicture = (part: unknown) => {
  const file = objectAt(part, 'inlineData');
  const type = textAt(file, 'mimeType');
  return type === '' || type.startsWith('image/') ? textAt(file, 'data') : '';
};
const partsOf = (body: unknown) => listAt(objectAt(listAt(body, 'candidates')[0], 'content'), 'parts');

/** Error for a missing image, which was usually blocked; the reason is in one of several fields. */
function missingImageError(body: unknown, usage: Usage | undefined): UpstreamProblem {
  const reason =
    textAt(objectAt(body, 'promptFeedback'), 'blockReason') ||
    textAt(listAt(body, 'predictions')[0], 'raiFilteredReason') ||
    textAt(listAt(body, 'candidates')[0], 'finishMessage');
  if (reason === '') return new UpstreamProblem(502, 'The upstream returned no image');
  const problem = new UpstreamProblem(400, `The upstream blocked the image: ${reason}`, 'content_filter');
  problem.usage = usage;
  return problem;
}
