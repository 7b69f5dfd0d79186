import { apiKeyPlaceholder } from '@headgate/contract';
import type { ClientHeaders } from '@headgate/providers';
import type { HeaderAction } from './apply-rules.ts';
import { ruleNotAllowedError } from './rule-error.ts';

type Headers = Readonly<Record<string, string>>;

interface HeaderSources {
  /** The channel's key. */
  readonly key: string;
  readonly client: ClientHeaders;
}

/** Printable ASCII, which no server interprets as the end of a header. */
const isHeaderText = (text: string): boolean => text.length <= maxValueLength && /^[\x20-\x7e]+$/.test(text);
const maxValueLength = 8000;

/** Applies header actions in order. The key placeholder is replaced only in values written by an admin. */
export function applyHeaderRules(headers: Headers, actions: readonly HeaderAction[], sources: HeaderSources): Headers {
  if (actions.length === 0) return headers;
  // Header names are case-insensitive, and providers write them in any case.
  let changed: Record<string, string> = {};
  for (const name of Object.keys(headers)) changed[name.toLowerCase()] = headers[name] ?? '';
  for (const action of actions) {
    const { header } = action;
    if (action.do === 'remove_header') {
      const { [header]: _, ...rest } = changed;
      changed = rest;
    } else if (action.do === 'set_header') changed[header] = filledIn(action.value, sources.key, headers);
    else {
      const value = clientValue(sources.client[header]);
      if (isHeaderText(value)) changed[header] = value;
    }
  }
  return changed;
}

/** Keys that sign requests or are exchanged for a token never leave the gateway. */
const isSentAsIs = (key: string, headers: Headers): boolean =>
  Object.values(headers).some((value) => value.includes(key));

function filledIn(value: string, key: string, headers: Headers): string {
  if (!value.includes(apiKeyPlaceholder)) return value;
  if (!isSentAsIs(key, headers)) throw ruleNotAllowedError('requests to this provider do not contain the key');
  const text = value.replaceAll(apiKeyPlaceholder, () => key);
  if (!isHeaderText(text)) throw ruleNotAllowedError('the key of this channel cannot be sent in a header');
  return text;
}

const clientValue = (value: ClientHeaders[string]): string =>
  typeof value === 'string' ? value : (value ?? []).join(', ');
