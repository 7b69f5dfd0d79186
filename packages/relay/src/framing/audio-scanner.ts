import { parseJson, UpstreamProblem } from '@headgate/dialects';
import { problemInside } from '@headgate/providers';

/** Longest body that may be an error; a longer body is audio. */
const maxErrorLength = 64 * 1024;
const blank = /^\s$/;
const page = /^\s*<(?:!doctype|html|head|body|\?xml)\b/i;

/** Examines the start of an audio response: an upstream may return an error with status 200. */
export class AudioScanner {
  #head: Buffer[] = [];
  #length = 0;
  /** True until audio or an error is found. */
  isUndecided = true;
  problem: UpstreamProblem | undefined;

  push(chunk: Buffer): void {
    if (!this.isUndecided) return;
    const first = this.#head.length === 0 ? firstOf(chunk) : undefined;
    const isSound = first !== undefined && !'{[<'.includes(first);
    if (first !== undefined || this.#head.length > 0) this.#head.push(chunk);
    this.#length += chunk.length;
    if (isSound || this.#length > maxErrorLength) this.#decide();
  }

  finish(): void {
    if (!this.isUndecided) return;
    const text = Buffer.concat(this.#head).toString('utf8');
    const reply = parseJson(text);
    if (typeof reply === 'object' && reply !== null) this.problem = problemInside(reply, noSound);
    else if (text === '' || page.test(text)) this.problem = new UpstreamProblem(502, noSound, 'bad_response');
    this.#decide();
  }

  #decide(): void {
    this.isUndecided = false;
    this.#head = [];
  }
}

const noSound = 'The upstream returned no audio';

/** Undefined when there is only whitespace. */
function firstOf(chunk: Buffer): string | undefined {
  for (const byte of chunk) {
    const character = String.fromCharCode(byte);
    if (!blank.test(character)) return character;
  }
  return undefined;
}
