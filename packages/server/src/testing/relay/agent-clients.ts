import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { instruction, limit, question, tool } from '@headgate/testkit';
import OpenAI from 'openai';

/** A response as parsed by a client of any dialect. */
interface ParsedResponse {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly finish: 'stop' | 'tool' | 'other';
  readonly usage: { readonly prompt: number; readonly completion: number };
}

interface Question {
  readonly model: string;
  readonly isStream: boolean;
  readonly hasTools: boolean;
}

/** Sends a standard chat request in one dialect with its official client. */
export type SendChat = (question: Question) => Promise<ParsedResponse>;

/** Clients configured with only the address and the key. */
export const agentClients = (url: string, key: string): Readonly<Record<string, SendChat>> => ({
  'Anthropic’s messages': sendAnthropic(new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })),
  'OpenAI’s responses': sendResponses(new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })),
  'Gemini’s contents': sendGemini(new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })),
});

const sendAnthropic =
  (client: Anthropic): SendChat =>
  async ({ model, isStream, hasTools }) => {
    const body = {
      model,
      max_tokens: limit,
      system: instruction,
      messages: [{ role: 'user' as const, content: question }],
      ...(hasTools && {
        tools: [
          {
            name: tool.name,
            description: tool.description,
            input_schema: { ...tool.parameters, type: 'object' as const },
          },
        ],
      }),
    };
    const message = isStream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create({ ...body, stream: false });
    const finishes = { end_turn: 'stop', tool_use: 'tool' } as const;
    const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = message.usage;
    return {
      text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: message.content.flatMap((block) =>
        block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
      ),
      finish: finishes[message.stop_reason as keyof typeof finishes] ?? 'other',
      usage: {
        prompt: input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
        completion: output_tokens,
      },
    };
  };

const sendResponses =
  (client: OpenAI): SendChat =>
  async ({ model, isStream, hasTools }) => {
    const { name, description, parameters } = tool;
    const body = {
      model,
      instructions: instruction,
      input: question,
      max_output_tokens: limit,
      store: false,
      ...(hasTools && { tools: [{ type: 'function' as const, name, description, parameters, strict: false }] }),
    };
    const response = isStream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create({ ...body, stream: false });
    const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    const finish = calls.length > 0 ? 'tool' : 'stop';
    return {
      text: response.output_text,
      calls: calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) as unknown })),
      finish: response.status === 'completed' ? finish : 'other',
      usage: { prompt: response.usage?.input_tokens ?? 0, completion: response.usage?.output_tokens ?? 0 },
    };
  };

const sendGemini =
  (client: GoogleGenAI): SendChat =>
  async ({ model, isStream, hasTools }) => {
    const request = {
      model,
      contents: question,
      config: {
        systemInstruction: instruction,
        maxOutputTokens: limit,
        ...(hasTools && {
          tools: [
            {
              functionDeclarations: [
                { name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters },
              ],
            },
          ],
        }),
      },
    };
    const pieces = isStream
      ? await Array.fromAsync(await client.models.generateContentStream(request))
      : [await client.models.generateContent(request)];
    const parts = pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const reasons = pieces.flatMap(({ candidates }) => candidates?.[0]?.finishReason ?? []);
    const usage = pieces.at(-1)?.usageMetadata;
    const finish = calls.length > 0 ? 'tool' : 'stop';
    return {
      text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
      calls: calls.map(({ name = '', args }) => ({ name, input: args })),
      finish: reasons.length === 1 && reasons[0] === 'STOP' ? finish : 'other',
      usage: {
        prompt: usage?.promptTokenCount ?? 0,
        completion: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
      },
    };
  };
