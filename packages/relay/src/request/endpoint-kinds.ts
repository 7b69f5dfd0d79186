import {
  type AnswerScan,
  asksToFill,
  type ConversationName,
  type Dialect,
  dialects,
  type EndpointFields,
  gemini,
  type JsonObject,
  ollamaChat,
  ollamaGenerate,
  openaiChat,
  openaiEndpointFields,
  openaiResponses,
  readBatchEmbedContents,
  readEmbed,
  readEmbedContent,
  readFill,
  writeBatchEmbedContents,
  writeEmbed,
  writeEmbedContent,
  writeFilled,
} from '@headgate/dialects';
import type { EndpointName } from '@headgate/providers';

/** An endpoint of the relay: what it takes, what it answers, and what it costs by. */
export interface EndpointKind extends EndpointFields {
  readonly name: EndpointName;
  readonly path: string;
  /** In whose words it is asked and answered. */
  readonly dialect: Dialect;
  readonly canStream: boolean;
  /** The request is a form with a file in it, not JSON. */
  readonly isForm: boolean;
  /** What comes back: JSON in one piece, bytes as they come, or whatever form of text was asked for. */
  readonly answers: 'json' | 'bytes' | 'text';
  /** What is counted: tokens both ways, pictures, characters spoken, text heard, or what is read or searched for a ranking. */
  readonly costs: 'tokens' | 'images' | 'characters' | 'transcript' | 'ranking';
  /** How the endpoint is translated that is asked and answered in other words than OpenAI's, in which it is relayed. */
  readonly translation?: EndpointTranslation;
  /** The endpoint that such a body is for, where that is another one; undefined: this one. */
  readonly turnsInto?: (body: JsonObject) => EndpointKind | undefined;
  /** The answer is as long as the model likes, not as the request is. */
  readonly answersText: boolean;
  /** Served only by upstreams that have the endpoint: there are no other words for it. */
  readonly isNeverTranslated?: boolean;
  /** The request as it is read, where the body holds it as a field or in another form; absent: the body is the request. */
  readonly unwrap?: (body: JsonObject) => JsonObject;
}

/** Between the words of a client and OpenAI's, for an endpoint that answers in one piece. */
interface EndpointTranslation {
  /** In whose words failures are told. */
  readonly dialect: Dialect;
  read(body: JsonObject, model: string): JsonObject;
  write(reply: JsonObject): JsonObject;
}

/** The dialect in which failures of an endpoint are told. */
export const failureDialectOf = ({ dialect, translation }: EndpointKind): Dialect => translation?.dialect ?? dialect;

/** How answers of an endpoint look that pass as they come, where the provider does not watch them itself. */
export function scanOf({ dialect, path }: EndpointKind): AnswerScan {
  if (!dialect.scan) throw new Error(`Answers of ${path} pass unwatched.`);
  return dialect.scan;
}

/** Whether what it takes are the turns of a conversation. */
export const isConversation = ({ input, dialect }: EndpointKind): boolean => input === dialect.prompt.input;

const openai = { dialect: openaiChat } as const;
const text = { ...openai, isForm: false, answers: 'json', costs: 'tokens' } as const;
const picture = { ...openai, canStream: false, answers: 'json', costs: 'images', answersText: false } as const;
const hearing = {
  ...openai,
  ...openaiEndpointFields.hearing,
  canStream: false,
  isForm: true,
  answers: 'text',
  costs: 'transcript',
  answersText: false,
} as const;

const conversations = conversationKinds();

export const endpointKinds = {
  ...conversations,
  ollamaGenerate: {
    ...conversations.ollamaGenerate,
    turnsInto: (body) => (asksToFill(body) ? ollamaFilling : undefined),
  },
  compact: {
    ...text,
    name: 'compact',
    path: '/v1/responses/compact',
    dialect: openaiResponses,
    canStream: false,
    input: openaiResponses.prompt.input,
    answersText: true,
    isNeverTranslated: true,
  },
  completions: {
    ...text,
    ...openaiEndpointFields.completions,
    name: 'completions',
    path: '/v1/completions',
    canStream: true,
    answersText: true,
  },
  embeddings: {
    ...text,
    ...openaiEndpointFields.embeddings,
    name: 'embeddings',
    path: '/v1/embeddings',
    canStream: false,
    answersText: false,
  },
  moderations: {
    ...text,
    ...openaiEndpointFields.moderations,
    name: 'moderations',
    path: '/v1/moderations',
    canStream: false,
    answersText: false,
  },
  rerank: {
    ...text,
    ...openaiEndpointFields.rerank,
    name: 'rerank',
    path: '/v1/rerank',
    canStream: false,
    costs: 'ranking',
    answersText: false,
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
    answers: 'bytes',
    costs: 'characters',
    answersText: false,
  },
  transcriptions: { ...hearing, name: 'transcriptions', path: '/v1/audio/transcriptions' },
  translations: { ...hearing, name: 'translations', path: '/v1/audio/translations' },
} as const satisfies Record<EndpointName, EndpointKind>;

/** Gemini's names for embeddings. */
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

/** Ollama's name for embeddings. */
export const ollamaEmbeddings: EndpointKind = {
  ...endpointKinds.embeddings,
  path: '/api/embed',
  translation: { dialect: ollamaChat, read: readEmbed, write: writeEmbed },
};

/** Ollama's name for a completion between two texts; one line tells all of it, which is a stream too. */
const ollamaFilling: EndpointKind = {
  ...endpointKinds.completions,
  path: 'a suffix',
  canStream: false,
  translation: { dialect: ollamaGenerate, read: readFill, write: writeFilled },
};

type ConversationKinds = { readonly [Name in ConversationName]: EndpointKind & { readonly name: Name } };

/** Every dialect's conversations. */
function conversationKinds(): ConversationKinds {
  const rows = Object.entries(dialects).map(([name, dialect]) => {
    const { path, prompt, normalize } = dialect;
    const kind = { ...text, name, path, dialect, input: prompt.input, canStream: true, answersText: true };
    return [name, normalize ? { ...kind, unwrap: normalize } : kind];
  });
  return Object.fromEntries(rows) as ConversationKinds;
}
