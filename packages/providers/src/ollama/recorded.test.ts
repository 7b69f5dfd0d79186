import { isObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { type Recording, recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './chat.ts';
import { embeddings } from './index.ts';

describe('recorded Ollama responses', () => {
  const recordings = recordingsOf('ollama');
  const usable = recordings.map((recording) => ({ ...recording, lines: linesIn(recording) }));
  const whole = usable.filter(({ lines }) => lines.length === 1);
  const streams = usable.filter(({ lines }) => lines.length > 1);

  test.each(whole)('reads $name without loss', ({ json, lines }) => {
    expect(chat.decode?.(json)).toEqual(expectedResult(lines));
  });

  test.each(streams)('streams $name without loss', ({ bytes, lines }) => {
    expect(readStreamedResponse(chat, [bytes])).toEqual(expectedResult(lines));
  });

  test('the recordings cover both kinds of responses', () => {
    expect(whole.length).toBeGreaterThan(2);
    expect(streams.length).toBeGreaterThan(2);
  });

  test.each(recordings.filter(({ json }) => listAt(json, 'embeddings').length > 0))(
    'reads the embeddings of $name',
    ({ json }) => {
      const response = embeddings.decode(json, testUpstream);
      expect('reply' in response && listAt(response.reply, 'data').map((row) => listAt(row, 'embedding'))).toEqual(
        listAt(json, 'embeddings'),
      );
      expect('usage' in response && response.usage?.promptTokens).toBe(numberAt(json, 'prompt_eval_count'));
    },
  );
});

/** Lines of an `/api/chat` response; empty if the recording is of another endpoint. */
function linesIn({ bytes, json }: Recording): readonly JsonObject[] {
  const texts = json === undefined ? bytes.toString('utf8').split('\n') : [JSON.stringify(json)];
  const lines = texts.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as JsonObject);
  return lines.every(({ message }) => isObject(message)) && lines.at(-1)?.['done'] === true ? lines : [];
}

/** Expected result, from a simple scan of the recording; none of the recordings calls a tool. */
function expectedResult(lines: readonly JsonObject[]) {
  const join = (name: string) => lines.map((line) => textAt(objectAt(line, 'message'), name)).join('');
  const last = lines.at(-1);
  const prompt = numberAt(last, 'prompt_eval_count');
  const reasoning = join('thinking');
  return {
    choices: [
      {
        content: join('content'),
        ...(reasoning !== '' && { reasoning }),
        finishReason: last?.['done_reason'] === 'length' ? 'length' : 'stop',
      },
    ],
    usage: prompt === undefined ? undefined : { promptTokens: prompt, completionTokens: numberAt(last, 'eval_count') },
  };
}
