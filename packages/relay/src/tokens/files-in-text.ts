import { tokensPerPicture } from './estimate-tokens.ts';

/** Sound as it streams has 24,000 samples of two bytes a second, and twenty tokens; four characters carry three bytes. */
const charactersPerSoundToken = ((24_000 * 2) / 20 / 3) * 4;

export const tokensOfSound = (base64Characters: number): number => base64Characters / charactersPerSoundToken;

/** The shortest text in which files are looked for. */
const shortest = 512;
const file = /data:([\w./+-]{1,100});base64,[\w+/=-]+/g;

/** A text that carries files, such as a picture in Markdown: its words, and what the files count. */
export function withoutFiles(text: string): { readonly text: string; readonly tokens: number } {
  if (text.length < shortest || !text.includes(';base64,')) return { text, tokens: 0 };
  let tokens = 0;
  const words = text.replace(file, (found, type: string) => {
    tokens += type.startsWith('image/') ? tokensPerPicture : tokensOfSound(found.length);
    return '';
  });
  return { text: words, tokens };
}
