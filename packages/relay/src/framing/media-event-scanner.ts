import { parseJson, UpstreamProblem } from '@headgate/dialects';
import { errorInSuccess, isMediaError, mediaErrorMarker } from '@headgate/providers';

/** Bytes examined per line; the rest may be megabytes of image data. */
const maxHeadLength = 16 * 1024;
/** Bytes allowed before the first event, for example keep-alive comments. */
const maxPreludeLength = 64 * 1024;

/** Scans images or audio sent as events: detects whether content or an error was received. */
export class MediaEventScanner {
  #head: Buffer[] = [];
  #headLength = 0;
  #seen = 0;
  #event = '';
  #hasEvent = false;
  readonly #content: RegExp;
  hasContent = false;
  problem: UpstreamProblem | undefined;

  /** `content` matches a line that carries content. */
  constructor(content: RegExp) {
    this.#content = content;
  }

  /** True until content or an error is found. */
  get isUndecided(): boolean {
    return !this.#hasEvent && this.#seen <= maxPreludeLength;
  }

  push(chunk: Buffer): void {
    this.#seen += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#readLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Remaining bytes without a newline also count as a line. */
  finish(): void {
    this.#readLine();
    if (!this.#hasEvent) this.problem ??= new UpstreamProblem(502, 'The upstream returned no event', 'bad_response');
  }

  #keep(bytes: Buffer): void {
    const room = maxHeadLength - this.#headLength;
    if (room <= 0 || bytes.length === 0) return;
    this.#head.push(bytes.subarray(0, room));
    this.#headLength += Math.min(room, bytes.length);
    if (this.#headLength === maxHeadLength) this.#look(this.#line());
  }

  #line = () => Buffer.concat(this.#head).toString('utf8');

  #readLine(): void {
    const line = this.#line().trimEnd();
    this.#head = [];
    this.#headLength = 0;
    if (line === '') this.#event = '';
    else if (line.startsWith('event:')) this.#event = line.slice('event:'.length).trim();
    else this.#look(line);
  }

  #look(line: string): void {
    if (!line.startsWith('data:')) return;
    this.#hasEvent = true;
    if (this.#content.test(line)) this.hasContent = true;
    else if (isMediaError(undefined, this.#event) || line.includes(mediaErrorMarker))
      this.#readError(line.slice('data:'.length));
  }

  #readError(data: string): void {
    const event = parseJson(data);
    if (!isMediaError(event, this.#event)) return;
    const problem = errorInSuccess(event, 'The upstream returned no content');
    this.problem ??= usersFaults.test(problem.type)
      ? new UpstreamProblem(400, problem.message, problem.code, problem.type)
      : problem;
  }
}

const newline = 0x0a;
/** The request itself was rejected, so other channels would reject it too. */
const usersFaults = /user_error$|^invalid_request_error$/;

/** Maximum length of a body that may be an error; a longer body is audio. */
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
    if (typeof reply === 'object' && reply !== null) this.problem = errorInSuccess(reply, noSound);
    else if (text === '' || page.test(text)) this.problem = new UpstreamProblem(502, noSound, 'bad_response');
    this.#decide();
  }

  #decide(): void {
    this.isUndecided = false;
    this.#head = [];
  }
}

const noSound = 'The upstream returned no audio';

/** Undefined if there is only whitespace. */
function firstOf(chunk: Buffer): string | undefined {
  for (const byte of chunk) {
    const character = String.fromCharCode(byte);
    if (!blank.test(character)) return character;
  }
  return undefined;
}
