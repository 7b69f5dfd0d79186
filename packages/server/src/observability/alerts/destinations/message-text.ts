import type { AlertMessage } from './destination-protocol.ts';

const encoder = new TextEncoder();

export const jsonType = { 'content-type': 'application/json; charset=utf-8' } as const;

/** The message as plain text: title, lines and link. */
export const plainText = ({ title, lines, link }: AlertMessage): string =>
  [title, ...lines, ...(link === '' ? [] : [link])].join('\n');

/** Without the title. */
export const bodyText = ({ lines, link }: AlertMessage): string =>
  [...lines, ...(link === '' ? [] : [link])].join('\n');

/** Truncates to a number of characters without splitting one. */
export function truncateCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  let kept = '';
  for (const character of characters) {
    if (kept.length + character.length >= max) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Truncates to a number of UTF-8 bytes. */
export function truncateBytes(text: string, max: number): string {
  if (encoder.encode(text).length <= max) return text;
  const ellipsis = encoder.encode('…').length;
  let [kept, size] = ['', 0];
  for (const character of text) {
    const bytes = encoder.encode(character).length;
    if (size + bytes + ellipsis > max) break;
    kept += character;
    size += bytes;
  }
  return `${kept}…`;
}

/** Word joiner: an invisible character that breaks up mentions and links. */
const wordJoiner = '\u2060';

/**
 * Breaks mentions in untrusted text: `@name` mentions a user in some services, even within a word and without markup.
 */
export const breakMentions = (text: string): string => text.replace(/@(?=[\p{L}\p{N}_])/gu, `@${wordJoiner}`);

/**
 * Breaks links in untrusted text: clients turn URLs and domain-like names into links, and readers trust the gateway's
 * messages.
 */
export const breakLinks = (text: string): string =>
  text.replace(/:(?=\/\/)|(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu, (sign) => sign + wordJoiner);

/** Markdown special characters: anywhere, before a URL or at the end of an emoji name, and at the start of a line. */
const markdown = /[\\`*_~|<>[\]()#@]|:(?=\/\/|\w+:)|&(?=#?\w+;)|^[-+](?=\s)/gm;

/** Escapes Markdown in untrusted text. */
export const escapeMarkdown = (text: string): string => text.replace(markdown, '\\$&');
