import { parseFrame, textAt } from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { throwException } from './problem.ts';

/** What the model itself sent, out of its wrapping; undefined when the message is not a piece of it. */
export function modelChunk(frame: StreamFrame): string | undefined {
  if (frame.event === 'chunk') return Buffer.from(textAt(parseFrame(frame.data), 'bytes'), 'base64').toString('utf8');
  throwException(frame);
  return undefined;
}
