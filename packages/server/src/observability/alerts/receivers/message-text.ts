import type { AlertMessage } from './receiver-wire.ts';

const encoder = new TextEncoder();

export const jsonType = { 'content-type': 'application/json; charset=utf-8' } as const;

/** The message as plain text: a title, its lines, and where to look. */
export const plainText = ({ title, lines, link }: AlertMessage): string =>
  [title, ...lines, ...(link === '' ? [] : [link])].join('\n');

/** Below the title. */
export const bodyText = ({ lines, link }: AlertMessage): string =>
  [...lines, ...(link === '' ? [] : [link])].join('\n');

/** So many characters at most, none of them cut in two. */
export function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  let kept = '';
  for (const character of characters) {
    if (kept.length + character.length >= most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** So many bytes of UTF-8 at most. */
export function cutBytes(text: string, most: number): string {
  if (encoder.encode(text).length <= most) return text;
  const ellipsis = encoder.encode('…').length;
  let [kept, size] = ['', 0];
  for (const character of text) {
    const bytes = encoder.encode(character).length;
    if (size + bytes + ellipsis > most) break;
    kept += character;
    size += bytes;
  }
  return `${kept}…`;
}

/** A mark that nobody sees, between which and what stands before it no word is read as one. */
const unseen = '\u2060';

/** What others wrote calls nobody: `@name` is read as a name, in some places within a word too, and where no markup is. */
export const withoutCalls = (text: string): string => text.replace(/@(?=[\p{L}\p{N}_])/gu, `@${unseen}`);

/**
 * What others wrote leads nowhere: addresses, and names that end in what may be a domain, are made links of by whoever shows
 * them, and a message of the gateway is trusted.
 */
export const withoutLinks = (text: string): string =>
  text.replace(/:(?=\/\/)|(?<=[\p{L}\p{N}-])\.(?=\p{L}{2})/gu, (sign) => sign + unseen);

/** Signs that mean something in Markdown: anywhere, before an address or the end of an icon's name, or at the beginning of a line. */
const markdown = /[\\`*_~|<>[\]()#@]|:(?=\/\/|\w+:)|&(?=#?\w+;)|^[-+](?=\s)/gm;

/** What others wrote is no markup, no link and no picture. */
export const withoutMarkdown = (text: string): string => text.replace(markdown, '\\$&');
