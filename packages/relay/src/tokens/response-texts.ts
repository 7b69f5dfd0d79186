import {
  type ChatDelta,
  type ChatResponse,
  type ContentListener,
  type ResponseScan,
  reportChatResponse,
  reportDelta,
} from '@headgate/dialects';
import { tokensPerImage } from './estimate-tokens.ts';

/** A chunk of one thread of a response: text, reasoning, or a tool call. */
interface ResponseText {
  /** Identifies the thread; the same for all of its chunks. */
  readonly thread: string;
  readonly text: string;
}

/** Content of a response or of a chunk of it. */
export interface ResponseTexts {
  readonly texts: readonly ResponseText[];
  /** Tokens of audio and images. Fractional if a chunk is shorter than a token. */
  readonly tokens: number;
  /**
   * Tokens of signatures, which contain the reasoning; not counted again if the reasoning text is visible. Absent:
   * none.
   */
  readonly signed?: number;
}

/** Texts of a whole response that is passed through. Throws if it is nested too deeply. */
export function textsInResponse(reply: unknown, scan: ResponseScan): ResponseTexts {
  const collector = new TextCollector();
  scan.reportResponse(reply, collector);
  return collector;
}

/** Texts of an event that is passed through. Throws if it is nested too deeply. */
export function textsInEvent(event: unknown, scan: ResponseScan): ResponseTexts {
  const collector = new TextCollector();
  scan.reportEvent(event, collector);
  return collector;
}

/** Texts of a translated delta. */
export function textsOfDelta(delta: ChatDelta): ResponseTexts {
  const collector = new TextCollector();
  reportDelta(delta, collector);
  return collector;
}

/** Texts of a whole translated response. */
export function textsOfResponse(response: ChatResponse): ResponseTexts {
  const collector = new TextCollector();
  reportChatResponse(response, collector);
  return collector;
}

class TextCollector implements ResponseTexts, ContentListener {
  readonly texts: ResponseText[] = [];
  tokens = 0;
  signed = 0;

  get isEmpty(): boolean {
    return this.texts.length === 0 && this.tokens === 0;
  }

  text(thread: string, given: string): void {
    const { text, tokens } = separateFiles(given);
    this.tokens += tokens;
    if (text !== '') this.texts.push({ thread, text });
  }

  audio(characters: number): void {
    this.tokens += audioTokens(characters);
  }

  images(count: number): void {
    this.tokens += tokensPerImage * count;
  }

  encrypted(characters: number): void {
    this.tokens += characters * tokensPerSealedCharacter;
  }

  signature(characters: number): void {
    this.signed += characters * tokensPerSealedCharacter;
  }
}

/** Tokens per character of encrypted reasoning. */
const tokensPerSealedCharacter = 0.2;

/** Streamed audio has 24,000 two-byte samples and 20 tokens per second; four base64 characters carry three bytes. */
const charactersPerSoundToken = ((24_000 * 2) / 20 / 3) * 4;

const audioTokens = (base64Characters: number): number => base64Characters / charactersPerSoundToken;

/** Shortest text that is searched for files. */
const shortest = 512;
const file = /data:([\w./+-]{1,100});base64,[\w+/=-]+/g;

/** Separates a text with embedded files, such as a Markdown image, into its text and the tokens of the files. */
function separateFiles(text: string): { readonly text: string; readonly tokens: number } {
  if (text.length < shortest || !text.includes(';base64,')) return { text, tokens: 0 };
  let tokens = 0;
  const message = text.replace(file, (found, type: string) => {
    tokens += type.startsWith('image/') ? tokensPerImage : audioTokens(found.length);
    return '';
  });
  return { text: message, tokens };
}
