import {
  type AnswerListener,
  type AnswerScan,
  type ChatAnswer,
  type ChatDelta,
  hearAnswer,
  hearDelta,
} from '@headgate/dialects';
import { tokensPerPicture } from './estimate-tokens.ts';
import { tokensOfSound, withoutFiles } from './files-in-text.ts';

/** A piece of one thread of an answer: of its text, its reasoning, or a call of a tool. */
interface AnswerText {
  /** Names the thread; the same for all of its pieces. */
  readonly thread: string;
  readonly text: string;
}

/** What an answer says, or a piece of one. */
export interface AnswerTexts {
  readonly texts: readonly AnswerText[];
  /** Tokens of what is no text: sound and pictures. Not whole where a piece is shorter than a token. */
  readonly tokens: number;
  /** Tokens of signatures, which hold what was thought: no more than that where its words were told. Absent: none. */
  readonly signed?: number;
}

/** What a whole answer says that passes as it came. Throws when it is nested too deeply. */
export function textsInReply(reply: unknown, scan: AnswerScan): AnswerTexts {
  const collector = new TextCollector();
  scan.hearReply(reply, collector);
  return collector;
}

/** What an event says that passes as it came. Throws when it is nested too deeply. */
export function textsInEvent(event: unknown, scan: AnswerScan): AnswerTexts {
  const collector = new TextCollector();
  scan.hearEvent(event, collector);
  return collector;
}

/** What a piece of an answer says that is translated. */
export function textsOfDelta(delta: ChatDelta): AnswerTexts {
  const collector = new TextCollector();
  hearDelta(delta, collector);
  return collector;
}

/** What a whole answer says that is translated. */
export function textsOfAnswer(answer: ChatAnswer): AnswerTexts {
  const collector = new TextCollector();
  hearAnswer(answer, collector);
  return collector;
}

class TextCollector implements AnswerTexts, AnswerListener {
  readonly texts: AnswerText[] = [];
  tokens = 0;
  signed = 0;

  get isEmpty(): boolean {
    return this.texts.length === 0 && this.tokens === 0;
  }

  text(thread: string, given: string): void {
    const { text, tokens } = withoutFiles(given);
    this.tokens += tokens;
    if (text !== '') this.texts.push({ thread, text });
  }

  sound(characters: number): void {
    this.tokens += tokensOfSound(characters);
  }

  pictures(count: number): void {
    this.tokens += tokensPerPicture * count;
  }

  sealed(characters: number): void {
    this.tokens += characters * tokensPerSealedCharacter;
  }

  signature(characters: number): void {
    this.signed += characters * tokensPerSealedCharacter;
  }
}

/** Tokens of thoughts that only their model can read. */
const tokensPerSealedCharacter = 0.2;
