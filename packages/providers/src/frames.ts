import { crc32 } from 'node:zlib';
import { UpstreamProblem } from '@headgate/dialects';

/** How an upstream splits its stream into messages. */
export type Framing = 'sse' | 'ndjson' | 'aws-events' | 'websocket';

/** One complete message of a stream. */
export interface StreamFrame {
  /** Event name if the framing has names, otherwise empty. */
  readonly event: string;
  readonly data: string;
}

/** True if a frame is the end marker used by OpenAI and many others. */
export const isEndMarker = ({ data }: StreamFrame): boolean => data === '[DONE]';

/** Splits bytes into frames, independent of how the network split them. */
export interface FrameSplitter {
  push(bytes: Buffer): readonly StreamFrame[];
  /** Called at the end of the bytes; returns an unterminated last frame. */
  finish(): readonly StreamFrame[];
}

const maxFrameLength = 16 * 1024 * 1024;

export const frameSplitters: Readonly<Record<Framing, () => FrameSplitter>> = {
  sse: () => new SseCutter(),
  ndjson: () => new LineCutter(),
  'aws-events': () => new AwsEventCutter(),
  // A WebSocket message is already a frame.
  websocket: () => ({ push: (bytes) => [{ event: '', data: bytes.toString('utf8') }], finish: () => [] }),
};

/** Splits bytes into lines; an incomplete line stays undecoded, so that no character is split. */
class Lines {
  readonly #rest = new GrowingBytes();

  push(bytes: Buffer): readonly string[] {
    const end = bytes.lastIndexOf(newline);
    if (end === -1) {
      this.#keep(bytes);
      return [];
    }
    const whole = this.#rest.takeWith(bytes.subarray(0, end)).toString('utf8');
    if (end + 1 < bytes.length) this.#keep(bytes.subarray(end + 1));
    const lines = whole.split('\n');
    return whole.includes('\r') ? lines.map(withoutReturn) : lines;
  }

  finish(): readonly string[] {
    const rest = this.#rest.takeWith(Buffer.alloc(0)).toString('utf8');
    return rest === '' ? [] : [withoutReturn(rest)];
  }

  #keep(bytes: Buffer): void {
    this.#rest.add(bytes);
    if (this.#rest.length > maxFrameLength) throw new UpstreamProblem(502, 'The upstream sent a line that is too long');
  }
}

const newline = 0x0a;
const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * Server-sent events: names and data lines up to a blank line; comments and other fields are ignored. JSON instead of
 * events, usually an error, becomes one frame at the end.
 */
class SseCutter implements FrameSplitter {
  readonly #lines = new Lines();
  #event = '';
  #data: string | undefined;
  #hasBegun = false;
  #bareJson = '';

  push(bytes: Buffer): readonly StreamFrame[] {
    return this.#read(this.#lines.push(bytes));
  }

  finish(): readonly StreamFrame[] {
    const frames = this.#read([...this.#lines.finish(), '']);
    return this.#bareJson === '' ? frames : [{ event: '', data: this.#bareJson }];
  }

  #read(lines: readonly string[]): readonly StreamFrame[] {
    const frames: StreamFrame[] = [];
    for (const line of lines) {
      if (line !== '') this.#line(line);
      else if (this.#data !== undefined || this.#event !== '') {
        if (this.#data !== undefined) frames.push({ event: this.#event, data: this.#data });
        this.#event = '';
        this.#data = undefined;
      }
    }
    return frames;
  }

  #line(line: string): void {
    if (this.#bareJson === '' && (this.#hasBegun || !line.startsWith('{'))) this.#field(line);
    else {
      this.#bareJson += line;
      if (this.#bareJson.length > maxFrameLength)
        throw new UpstreamProblem(502, 'The upstream sent a response that is too long');
    }
  }

  #field(line: string): void {
    this.#hasBegun = true;
    if (line.startsWith('event:')) this.#event = fieldValue(line, 6);
    if (!line.startsWith('data:')) return;
    const value = fieldValue(line, 5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length > maxFrameLength)
      throw new UpstreamProblem(502, 'The upstream sent an event that is too long');
  }
}

const fieldValue = (line: string, from: number) => line.slice(line[from] === ' ' ? from + 1 : from);

/** One JSON value per line. */
class LineCutter implements FrameSplitter {
  readonly #lines = new Lines();

  push(bytes: Buffer): readonly StreamFrame[] {
    return framesOf(this.#lines.push(bytes));
  }

  finish(): readonly StreamFrame[] {
    return framesOf(this.#lines.finish());
  }
}

const framesOf = (lines: readonly string[]) =>
  lines.filter((line) => line.trim() !== '').map((data) => ({ event: '', data }));

const preludeLength = 12;
const checksumLength = 4;
const textHeader = 7;

/** Amazon's binary messages: lengths, checksums, headers, payload. An exception's name becomes the frame's event. */
class AwsEventCutter implements FrameSplitter {
  readonly #rest = new GrowingBytes();
  /** Bytes required before the next message can be read. */
  #wanted = preludeLength;

  push(bytes: Buffer): readonly StreamFrame[] {
    if (this.#rest.length + bytes.length < this.#wanted) {
      this.#rest.add(bytes);
      return [];
    }
    return this.#cut(this.#rest.takeWith(bytes));
  }

  finish(): readonly StreamFrame[] {
    return [];
  }

  #cut(bytes: Buffer): readonly StreamFrame[] {
    const frames: StreamFrame[] = [];
    let rest = bytes;
    this.#wanted = preludeLength;
    while (rest.length >= preludeLength) {
      const length = rest.readUInt32BE(0);
      if (
        length < preludeLength + checksumLength ||
        length > maxFrameLength ||
        crc32(rest.subarray(0, 8)) !== rest.readUInt32BE(8)
      ) {
        throw new UpstreamProblem(502, 'The upstream sent a corrupted event stream');
      }
      if (rest.length < length) {
        this.#wanted = length;
        break;
      }
      frames.push(readAwsEvent(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    this.#rest.add(rest);
    return frames;
  }
}

function readAwsEvent(message: Buffer): StreamFrame {
  const payloadEnd = message.length - checksumLength;
  if (crc32(message.subarray(0, payloadEnd)) !== message.readUInt32BE(payloadEnd)) {
    throw new UpstreamProblem(502, 'The upstream sent a corrupted event stream');
  }
  const payloadStart = preludeLength + message.readUInt32BE(4);
  let event = '';
  for (let at = preludeLength; at < payloadStart; ) {
    const nameEnd = at + 1 + message.readUInt8(at);
    const name = message.toString('utf8', at + 1, nameEnd);
    if (message.readUInt8(nameEnd) !== textHeader) break;
    const valueStart = nameEnd + 3;
    const valueEnd = valueStart + message.readUInt16BE(nameEnd + 1);
    if (name === ':event-type' || name === ':exception-type') event = message.toString('utf8', valueStart, valueEnd);
    at = valueEnd;
  }
  return { event, data: message.toString('utf8', payloadStart, payloadEnd) };
}

const smallestRoom = 1024;
const roomToKeep = 64 * 1024;

/** A buffer that doubles its size, so that appending single bytes stays cheap. */
class GrowingBytes {
  #room: Buffer = Buffer.alloc(0);
  length = 0;

  add(more: Buffer): void {
    const length = this.length + more.length;
    if (length > this.#room.length) {
      const grown = Buffer.allocUnsafe(Math.max(smallestRoom, length, this.#room.length * 2));
      this.#room.copy(grown, 0, 0, this.length);
      this.#room = grown;
    }
    more.copy(this.#room, this.length);
    this.length = length;
  }

  /** Returns the buffered bytes followed by `last`, and clears the buffer. */
  takeWith(last: Buffer): Buffer {
    if (this.length === 0) return last;
    const whole = Buffer.concat([this.#room.subarray(0, this.length), last]);
    this.length = 0;
    if (this.#room.length > roomToKeep) this.#room = Buffer.alloc(0);
    return whole;
  }
}
