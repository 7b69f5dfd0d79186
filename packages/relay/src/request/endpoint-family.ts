import type { TokenEndpoint } from '@headgate/contract';
import { type EndpointKind, errorDialectOf, isConversation } from './endpoint-kinds.ts';

/** Endpoints grouped with another one; the others use their own name. */
const families: Partial<Readonly<Record<EndpointKind['name'], TokenEndpoint>>> = {
  imageEdits: 'images',
  translations: 'transcriptions',
};

/** Name of the endpoint in token scopes and channel rules. */
export const endpointFamily = (kind: EndpointKind): string =>
  isConversation(kind) ? 'conversations' : (families[kind.name] ?? kind.name);

/** Name of the client's dialect in token scopes and channel rules, such as `openai`. */
export const dialectFamily = (kind: EndpointKind): string => errorDialectOf(kind).name.split('-', 1)[0] ?? '';
