import type { TokenEndpoint } from '@headgate/contract';
import { type EndpointKind, errorDialectOf } from './endpoint-kinds.ts';

/** Endpoints grouped under one name; the others use their own name. */
const families: Partial<Readonly<Record<EndpointKind['name'], TokenEndpoint>>> = {
  chat: 'conversations',
  responses: 'conversations',
  messages: 'conversations',
  generateContent: 'conversations',
  ollamaChat: 'conversations',
  ollamaGenerate: 'conversations',
  compact: 'conversations',
  imageEdits: 'images',
  translations: 'transcriptions',
};

/** Name of the endpoint in token scopes and channel rules. */
export const endpointFamily = ({ name }: EndpointKind): string => families[name] ?? name;

/** Name of the client's dialect in token scopes and channel rules, such as `openai`. */
export const dialectFamily = (kind: EndpointKind): string => errorDialectOf(kind).name.split('-', 1)[0] ?? '';
