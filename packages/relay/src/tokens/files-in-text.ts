import { tokensPerImage } from './estimate-tokens.ts';

/** Streamed audio has 24,000 two-byte samples and 20 tokens per second; four base64 characters carry three bytes. */
const charactersPerSoundToken = ((24_000 * 2) / 20 / 3) * 4;

export const audioTokens = (base64Characters: number): number => base64Characters / charactersPerSoundToken;

/** Shortest text that is searched for files. */
const shortest = 512;
const file = /data:([\w./+-]{1,100});base64,[\w+/=-]+/g;

/** Separates a text with embedded files, such as a Markdown image, into its text and the tokens of the files. */
export function separateFiles(text: string): { readonly text: string; readonly tokens: number } {
  if (text.length < shortest || !text.includes(';base64,')) return { text, tokens: 0 };
  let tokens = 0;
  const words = text.replace(file, (found, type: string) => {
    tokens += type.startsWith('image/') ? tokensPerImage : audioTokens(found.length);
    return '';
  });
  return { text: words, tokens };
}
