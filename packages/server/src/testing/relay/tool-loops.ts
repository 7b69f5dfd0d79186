import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { type GenerateContentResponse, GoogleGenAI, type PartListUnion } from '@google/genai';
import { tool as weather } from '@headgate/testkit';
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';

interface Loop {
  readonly model: string;
  readonly question: string;
  /** Runs the tool. */
  readonly weatherOf: (city: string) => string;
}

/** Sends a prompt, runs every tool that the model calls, and continues until it responds with text. */
export type ToolLoop = (loop: Loop) => Promise<string>;

/** Real clients with their official helpers, configured with only the address and the key. */
export const toolLoops = (url: string, key: string): Readonly<Record<string, ToolLoop>> => ({
  '@anthropic-ai/sdk': anthropicLoop(new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })),
  openai: responsesLoop(new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })),
  '@google/genai': geminiLoop(new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })),
  ...aiLoops('anthropic', createAnthropic({ baseURL: `${url}/v1`, apiKey: key })),
  ...aiLoops('google', createGoogle({ baseURL: `${url}/v1beta`, apiKey: key })),
  ...aiLoops('openai', createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).responses),
});

const maxTurns = 5;
const cityIn = (input: unknown): string => (input as { city: string }).city;

const anthropicLoop =
  (client: Anthropic): ToolLoop =>
  async ({ model, question, weatherOf }) => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
    const { name, description, parameters } = weather;
    const tools = [{ name, description, input_schema: { ...parameters, type: 'object' as const } }];
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const message = await client.messages.stream({ model, max_tokens: 500, messages, tools }).finalMessage();
      const calls = message.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      const results = calls.map(({ id, input }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: weatherOf(cityIn(input)),
      }));
      messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results });
    }
    throw new Error('the model does not come to an end');
  };

const responsesLoop =
  (client: OpenAI): ToolLoop =>
  async ({ model, question, weatherOf }) => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
    const tools = [{ type: 'function' as const, ...weather, strict: false }];
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const response = await client.responses.stream({ model, input, tools, store: false }).finalResponse();
      const calls = response.output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) return response.output_text;
      const results = calls.map(({ call_id, arguments: json }) => ({
        type: 'function_call_output' as const,
        call_id,
        output: weatherOf(cityIn(JSON.parse(json))),
      }));
      input.push(...(response.output as OpenAI.Responses.ResponseInput), ...results);
    }
    throw new Error('the model does not come to an end');
  };

const geminiLoop =
  (client: GoogleGenAI): ToolLoop =>
  async ({ model, question, weatherOf }) => {
    const { name, description, parameters } = weather;
    const tools = [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }];
    const chat = client.chats.create({ model, config: { tools } });
    let message: PartListUnion = question;
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const pieces: GenerateContentResponse[] = await Array.fromAsync(await chat.sendMessageStream({ message }));
      const calls = pieces.flatMap(({ functionCalls }) => functionCalls ?? []);
      if (calls.length === 0) return pieces.map(({ text }) => text ?? '').join('');
      message = calls.map(({ id, name: called = '', args }) => ({
        functionResponse: { ...(id && { id }), name: called, response: { output: weatherOf(cityIn(args)) } },
      }));
    }
    throw new Error('the model does not come to an end');
  };

const aiLoops = (name: string, modelOf: (id: string) => LanguageModel): Readonly<Record<string, ToolLoop>> => ({
  [`generateText of ai with @ai-sdk/${name}`]: async (loop) => (await generateText(aiCall(loop, modelOf))).text,
  [`streamText of ai with @ai-sdk/${name}`]: async (loop) => streamText(aiCall(loop, modelOf)).text,
});

const aiCall = ({ model, question, weatherOf }: Loop, modelOf: (id: string) => LanguageModel) => ({
  model: modelOf(model),
  prompt: question,
  tools: {
    weather: tool({
      description: weather.description,
      inputSchema: jsonSchema<{ city: string }>(weather.parameters),
      execute: async ({ city }) => weatherOf(city),
    }),
  },
  stopWhen: stepCountIs(maxTurns),
  maxRetries: 0,
});
