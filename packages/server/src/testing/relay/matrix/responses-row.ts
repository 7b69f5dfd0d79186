import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { imageUrl, weatherTool } from '@headgate/testkit';
import { expect } from 'vitest';
import { attachments, type DialectRow, type Finish, schema, type Turn } from './matrix.ts';

const tool = { type: 'function', ...weatherTool.function, strict: false };

export const responsesRow: DialectRow = {
  name: 'OpenAI’s responses',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  path: () => '/v1/responses',
  body: (chatCase) => ({
    model: chatCase.model,
    store: false,
    input: chatCase.turns.flatMap(itemsOf),
    ...(chatCase.system !== undefined && { instructions: chatCase.system }),
    ...(chatCase.isStream && { stream: true }),
    ...(chatCase.hasTools && { tools: [tool] }),
    ...(chatCase.callsSingly && { parallel_tool_calls: false }),
    ...(chatCase.forcesTool && { tool_choice: { type: 'function', name: 'weather' } }),
    ...(chatCase.hasSchema && { text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } } }),
    ...(chatCase.limit !== undefined && { max_output_tokens: chatCase.limit }),
    ...(chatCase.thinks && {
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
  }),
  read(body) {
    const output = listAt(body, 'output').filter(isObject);
    const ofType = (type: string) => output.filter((item) => item['type'] === type);
    const calls = ofType('function_call').map((item) => ({
      id: textAt(item, 'call_id'),
      name: textAt(item, 'name'),
      input: JSON.parse(textAt(item, 'arguments')) as unknown,
    }));
    const usage = objectAt(body, 'usage');
    return {
      text: ofType('message')
        .map((item) => textsOf(listAt(item, 'content')))
        .join(''),
      reasoning: ofType('reasoning')
        .map((item) => textsOf(listAt(item, 'summary')))
        .join(''),
      calls,
      finish: finishOf(body, calls.length > 0),
      usage: {
        prompt: numberAt(usage, 'input_tokens') ?? 0,
        completion: numberAt(usage, 'output_tokens') ?? 0,
        cached: numberAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens') ?? 0,
        reasoning: numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens') ?? 0,
      },
      echo: output,
    };
  },
  gather(events) {
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
    const last = events.at(-1);
    if (!/^response\.(completed|incomplete)$/.test(textAt(last, 'type'))) {
      const text = events.map((event) => (event['type'] === 'response.output_text.delta' ? event['delta'] : ''));
      return { output: [{ type: 'message', content: [{ type: 'output_text', text: text.join('') }] }] };
    }
    return objectAt(last, 'response');
  },
  withoutThoughts: (echo) => echo.filter((item) => item['type'] !== 'reasoning'),
  error: (body) => {
    expect(Object.keys(objectAt(body, 'error'))).toEqual(['message', 'type', 'param', 'code']);
    return { message: textAt(objectAt(body, 'error'), 'message') };
  },
  errorEvent: (event) => (event['type'] === 'error' ? { message: textAt(event, 'message') } : undefined),
  lacks: ['stop'],
};

function itemsOf(turn: Turn): readonly JsonObject[] {
  if ('echo' in turn) return turn.echo;
  if ('results' in turn) {
    return turn.results.map(({ call, text }) => ({ type: 'function_call_output', call_id: call.id, output: text }));
  }
  const { sound, document } = attachments;
  const { attached } = turn;
  const file_data = `data:${document.mediaType};base64,${document.data}`;
  const otherFields = {
    sound: { type: 'input_audio', input_audio: { data: sound.data, format: 'wav' } },
    document: { type: 'input_file', filename: 'a.pdf', file_data },
  };
  const image = { type: 'input_image', image_url: imageUrl, detail: 'auto' };
  const content = [
    { type: 'input_text', text: turn.user },
    ...(turn.hasPicture ? [image] : []),
    ...(attached ? [otherFields[attached]] : []),
  ];
  return [{ type: 'message', role: 'user', content }];
}

const textsOf = (parts: readonly unknown[]) => parts.map((part) => textAt(part, 'text')).join('');

function finishOf(body: JsonObject, hasCalls: boolean): Finish | undefined {
  if (body['status'] === 'completed') return hasCalls ? 'tool' : 'stop';
  return textAt(objectAt(body, 'incomplete_details'), 'reason') === 'max_output_tokens' ? 'length' : undefined;
}
