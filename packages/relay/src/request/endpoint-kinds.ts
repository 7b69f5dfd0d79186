import type { TokenEndpoint } from '@headgate/contract';
import {
  type ConversationName,
  type Dialect,
  dialects,
  type EndpointFields,
  gemini,
  isInfillRequest,
  type JsonObject,
  ollamaChat,
  ollamaGenerate,
  openaiChat,
  openaiEndpointFields,
  openaiResponses,
  type ResponseScan,
  readBatchEmbedContents,
  readEmbed,
  readEmbedContent,
  readInfillRequest,
  writeBatchEmbedContents,
  writeEmbed,
  writeEmbedContent,
  writeInfillResponse,
} from '@headgate/dialects';
import type { EndpointName } from '@headgate/providers';

/** An endpoint of the relay: its input, its output, and how it is charged. */
export interface EndpointKind extends EndpointFields {
  readonly name: EndpointName;
  readonly path: string;
  /** Dialect of the endpoint's requests and responses. */
  readonly dialect: Dialect;
  readonly canStream: boolean;
  /** The request is a form with a file, not JSON. */
  readonly isForm: boolean;
  /** Response type: JSON, raw bytes, or text in the requested format. */
  readonly responseType: 'json' | 'bytes' | 'text';
  /** What is charged: tokens, images, characters of speech, transcribed text, a ranking's tokens or searches, or pages. */
  readonly billedBy: 'tokens' | 'images' | 'characters' | 'transcript' | 'ranking' | 'pages';
  /** Translation of an endpoint with a format other than OpenAI's, which the relay uses internally. */
  readonly translation?: EndpointTranslation;
  /** Endpoint to which this body belongs; undefined means this endpoint. */
  readonly turnsInto?: (body: JsonObject) => EndpointKind | undefined;
  /** The response length depends on the model, not on the request. */
  readonly hasTextOutput: boolean;
  /** Served only by upstreams that have the endpoint, because it cannot be translated. */
  readonly isNeverTranslated?: boolean;
  /** Extracts the request when the body wraps it or has another format; absent: the body is the request. */
  readonly unwrap?: (body: JsonObject) => JsonObject;
}

/** Translates between a client's format and OpenAI's, for an endpoint that does not stream. */
interface EndpointTranslation {
  /** Dialect of the endpoint's error responses. */
  readonly dialect: Dialect;
  read(body: JsonObject, model: string): JsonObject;
  write(reply: JsonObject): JsonObject;
}

/** Dialect of an endpoint's error responses. */
export const errorDialectOf = ({ dialect, translation }: EndpointKind): Dialect => translation?.dialect ?? dialect;

/** Response format of an endpoint that is passed through, unless the provider scans the response itself. */
export function responseScanOf({ dialect, path }: EndpointKind): ResponseScan {
  if (!dialect.scan) throw new Error(`The dialect of ${path} has no response scan.`);
  return dialect.scan;
}

/** True if the endpoint's input is a conversation. */
export const isConversation = ({ input, dialect }: EndpointKind): boolean => input === dialect.prompt.input;

const openai = { dialect: openaiChat } as const;
const text = { ...openai, isForm: false, responseType: 'json', billedBy: 'tokens' } as const;
const picture = {
  ...openai,
  canStream: false,
  responseType: 'json',
  billedBy: 'images',
  hasTextOutput: false,
} as const;
const hearing = {
  ...openai,
  ...openaiEndpointFields.hearing,
  canStream: false,
  isForm: true,
  responseType: 'text',
  billedBy: 'transcript',
  hasTextOutput: false,
} as const;

const conversations = conversationKinds();

export const endpointKinds = {
  ...conversations,
  ollamaGenerate: {
    ...conversations.ollamaGenerate,
    turnsInto: (body) => (isInfillRequest(body) ? ollamaFilling : undefined),
  },
  compact: {
    ...text,
    name: 'compact',
    path: '/v1/responses/compact',
    dialect: openaiResponses,
    canStream: false,
    input: openaiResponses.prompt.input,
    hasTextOutput: true,
    isNeverTranslated: true,
  },
  completions: {
    ...text,
    ...openaiEndpointFields.completions,
    name: 'completions',
    path: '/v1/completions',
    canStream: true,
    hasTextOutput: true,
  },
  embeddings: {
    ...text,
    ...openaiEndpointFields.embeddings,
    name: 'embeddings',
    path: '/v1/embeddings',
    canStream: false,
    hasTextOutput: false,
  },
  moderations: {
    ...text,
    ...openaiEndpointFields.moderations,
    name: 'moderations',
    path: '/v1/moderations',
    canStream: false,
    hasTextOutput: false,
  },
  rerank: {
    ...text,
    ...openaiEndpointFields.rerank,
    name: 'rerank',
    path: '/v1/rerank',
    canStream: false,
    billedBy: 'ranking',
    hasTextOutput: false,
  },
  ocr: {
    ...text,
    ...openaiEndpointFields.ocr,
    name: 'ocr',
    path: '/v1/ocr',
    canStream: false,
    billedBy: 'pages',
    hasTextOutput: false,
  },
  images: {
    ...picture,
    ...openaiEndpointFields.images,
    name: 'images',
    path: '/v1/images/generations',
    isForm: false,
  },
  imageEdits: {
    ...picture,
    ...openaiEndpointFields.imageEdits,
    name: 'imageEdits',
    path: '/v1/images/edits',
    isForm: true,
  },
  speech: {
    ...openai,
    ...openaiEndpointFields.speech,
    name: 'speech',
    path: '/v1/audio/speech',
    canStream: false,
    isForm: false,
    responseType: 'bytes',
    billedBy: 'characters',
    hasTextOutput: false,
  },
  transcriptions: { ...hearing, name: 'transcriptions', path: '/v1/audio/transcriptions' },
  translations: { ...hearing, name: 'translations', path: '/v1/audio/translations' },
} as const satisfies Record<EndpointName, EndpointKind>;

/** Gemini's embedding endpoints. */
export const geminiEmbeddings = {
  embedContent: {
    ...endpointKinds.embeddings,
    path: '/v1beta/models',
    translation: { dialect: gemini, read: readEmbedContent, write: writeEmbedContent },
  },
  batchEmbedContents: {
    ...endpointKinds.embeddings,
    path: '/v1beta/models',
    translation: { dialect: gemini, read: readBatchEmbedContents, write: writeBatchEmbedContents },
  },
} as const satisfies Record<string, EndpointKind>;

/** Ollama's embedding endpoint. */
export const ollamaEmbeddings: EndpointKind = {
  ...endpointKinds.embeddings,
  path: '/api/embed',
  translation: { dialect: ollamaChat, read: readEmbed, write: writeEmbed },
};

/** Ollama's fill-in-the-middle completion. Its single-line response is also a valid stream. */
const ollamaFilling: EndpointKind = {
  ...endpointKinds.completions,
  path: 'a suffix',
  canStream: false,
  translation: { dialect: ollamaGenerate, read: readInfillRequest, write: writeInfillResponse },
};

type ConversationKinds = { readonly [Name in ConversationName]: EndpointKind & { readonly name: Name } };

/** Conversation endpoints of every dialect. */
function conversationKinds(): ConversationKinds {
  const rows = Object.entries(dialects).map(([name, dialect]) => {
    const { path, prompt, normalize } = dialect;
    const kind = { ...text, name, path, dialect, input: prompt.input, canStream: true, hasTextOutput: true };
    return [name, normalize ? { ...kind, unwrap: normalize } : kind];
  });
  return Object.fromEntries(rows) as ConversationKinds;
}

/** Endpoints grouped with another one; all others use their own name. */
const families: Partial<Readonly<Record<EndpointKind['name'], TokenEndpoint>>> = {
  imageEdits: 'images',
  translations: 'transcriptions',
};

/** Name of the endpoint in token scopes and channel rules. */
export const endpointFamily = (kind: EndpointKind): string =>
  isConversation(kind) ? 'conversations' : (families[kind.name] ?? kind.name);

/** Name of the client's dialect in token scopes and channel rules, such as `openai`. */
export const dialectFamily = (kind: EndpointKind): string => errorDialectOf(kind).name.split('-', 1)[0] ?? '';
