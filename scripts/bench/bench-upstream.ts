import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs as a separate process: a fake upstream that responds immediately and sends its port to the parent. */
const chunkCount = 50;
const sampleText = 'word after word ';

const openaiReply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_735_689_600,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: sampleText.repeat(40) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 160, total_tokens: 360 },
});

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const openaiEvent = (choice: object, rest: object = {}) =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_735_689_600,
    model: 'gpt-4o',
    choices: [{ index: 0, finish_reason: null, ...choice }],
    usage: null,
    ...rest,
  });
const openaiStream = [
  openaiEvent({ delta: { role: 'assistant', content: '' } }),
  ...Array.from({ length: chunkCount - 3 }, () => openaiEvent({ delta: { content: sampleText } })),
  openaiEvent({ delta: {}, finish_reason: 'stop' }),
  event({
    id: 'chatcmpl-1',
    choices: [],
    usage: { prompt_tokens: 200, completion_tokens: 160, total_tokens: 360 },
  }),
  'data: [DONE]\n\n',
];

const named = (name: string, body: object) => `event: ${name}\n${event({ type: name, ...body })}`;
const anthropicStream = [
  named('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      model: 'claude',
      stop_reason: null,
      usage: { input_tokens: 200, output_tokens: 1 },
    },
  }),
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ...Array.from({ length: chunkCount - 5 }, () =>
    named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: sampleText } }),
  ),
  named('content_block_stop', { index: 0 }),
  named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 160 } }),
  named('message_stop', {}),
];

const responsesEvent = (name: string, body: object, number: number) =>
  named(name, { ...body, sequence_number: number });
const response = { id: 'resp_1', object: 'response', created_at: 1_735_689_600, model: 'gpt-4.1', output: [] };
const part = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const responsesStream = [
  responsesEvent('response.created', { response: { ...response, status: 'in_progress' } }, 0),
  responsesEvent('response.output_item.added', { output_index: 0, item: { type: 'message', id: 'msg_1' } }, 1),
  ...Array.from({ length: chunkCount - 4 }, (_, index) =>
    responsesEvent('response.output_text.delta', { ...part, delta: sampleText, logprobs: [] }, index + 2),
  ),
  responsesEvent('response.output_text.done', { ...part, text: sampleText.repeat(chunkCount - 4) }, chunkCount - 2),
  responsesEvent(
    'response.completed',
    {
      response: {
        ...response,
        status: 'completed',
        output: [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: sampleText.repeat(chunkCount - 4), annotations: [] }],
          },
        ],
        usage: { input_tokens: 200, output_tokens: 160, total_tokens: 360 },
      },
    },
    chunkCount - 1,
  ),
];

/** Streams by path suffix. */
const streams: readonly (readonly [path: string, events: readonly string[]])[] = [
  ['/messages', anthropicStream],
  ['/responses', responsesStream],
  ['/chat/completions', openaiStream],
];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => respond(request.url ?? '', Buffer.concat(chunks).toString('utf8'), response));
});

function respond(path: string, body: string, response: ServerResponse): void {
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(openaiReply) });
    response.end(openaiReply);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = streams.find(([end]) => path.endsWith(end))?.[1] ?? openaiStream;
  if (body.includes('without end')) writeForEver(response, events[1] ?? '');
  else if (body.includes('hold the line')) response.write(events.slice(0, 5).join(''));
  else writeInTurn(response, events, 0);
}

/** One event per turn of the event loop, like a model's tokens. */
function writeInTurn(response: ServerResponse, events: readonly string[], index: number): void {
  const next = events[index];
  if (next === undefined) {
    response.end();
    return;
  }
  response.write(next);
  setImmediate(writeInTurn, response, events, index + 1);
}

function writeForEver(response: ServerResponse, event: string): void {
  const timer = setInterval(() => response.write(event), 50);
  response.on('close', () => clearInterval(timer));
}

// Fixed port, for a gateway that is already configured.
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
