import { readChatRequest } from '@headgate/dialects';
import { expect, test } from 'vitest';
import { fitRequest } from '../fit-request.ts';
import { type SampleRequestName, sampleRequests, testUpstream } from '../testing/chat-cases.ts';
import { chat } from './index.ts';

test.each(Object.keys(sampleRequests) as SampleRequestName[])(
  'returns an error for %s, because PaLM was discontinued',
  (name) => {
    const { request } = fitRequest(readChatRequest(sampleRequests[name]), chat);
    expect(() => chat.encode(request, testUpstream)).toThrow(
      expect.objectContaining({ status: 410, code: 'model_retired', message: expect.stringContaining('Gemini') }),
    );
  },
);
