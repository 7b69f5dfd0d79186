import { limitNames } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';
import { unpricedFields } from './unpriced-fields.ts';

/** Fields that decide what is allowed, asked for and held. Each has this one spelling. */
const judgedFields: ReadonlySet<string> = new Set([
  ...limitNames,
  ...[
    'model',
    'messages',
    'input',
    'prompt',
    'suffix',
    'echo',
    'query',
    'documents',
    'prediction',
    'functions',
    'response_format',
  ],
  ...['n', 'best_of', 'stream', 'stream_options', 'size', 'quality', 'file'],
  ...['thinking', 'enable_thinking', 'thinking_budget', 'reasoning_effort'],
  ...unpricedFields.keys(),
]);

/** Fields in which routers among the upstreams are told of further models, for when the first does not serve. */
const otherModelsFields: ReadonlySet<string> = new Set([
  ...['models', 'fallbacks', 'fallback_models', 'context_window_fallbacks', 'content_policy_fallbacks'],
]);

export const isOtherModelsField = (name: string): boolean => otherModelsFields.has(name);

/** Read as one letter by upstreams that do not care for case, some of which do not care for what joins words either. */
const folded = (name: string): string => name.toUpperCase().toLowerCase().replace(/[_-]/g, '');

const judgedByFold: ReadonlyMap<string, string> = new Map([...judgedFields].map((name) => [folded(name), name]));

/** The judged field that an upstream may take this name for. */
export const meantBy = (name: string): string | undefined => judgedByFold.get(folded(name));

/** Names that were looked at before and are nobody's other spelling. */
const harmless = new Set<string>();
const mostHarmless = 1000;

/** Refuses a key that an upstream may take for a field that was judged without it. */
export function refuseOtherSpelling(name: string): void {
  if (judgedFields.has(name) || harmless.has(name)) return;
  const meant = meantBy(name);
  if (meant !== undefined) throw refusedField(name, `${name} is not a field; ${meant} is`);
  // Only one was judged and priced.
  if (isOtherModelsField(name.toLowerCase())) throw refusedField(name, `${name} is not supported: name one model`);
  if (harmless.size < mostHarmless && name.length < 64) harmless.add(name);
}

/** Fields of a form that stand alone; of others, such as pictures, there may be several, each as `name[]`. */
const singleFormFields: ReadonlySet<string> = new Set([
  ...['model', 'n', 'size', 'quality', 'prompt', 'stream', 'response_format', 'file'],
  ...limitNames,
]);

/** Refuses a form's field that an upstream may read in another way than it was judged. */
export function refuseDoubtfulField(name: string, isThere: boolean): void {
  const plain = (name.split('[', 1)[0] ?? '').trim();
  const meant = meantBy(plain);
  if (meant === undefined || !singleFormFields.has(meant)) return;
  if (name !== meant) throw refusedField(name, `${name} is not a field; ${meant} is`);
  if (isThere) throw refusedField(name, `${name} is given twice`);
}

export function refusedField(name: string, message: string): RelayError {
  const refused = new RelayError(400, message, 'ambiguous_field', 'invalid_request_error');
  refused.param = name.slice(0, 100);
  return refused;
}
