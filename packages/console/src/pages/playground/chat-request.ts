import { quoteShell, quoteString } from '../../ui/use-with/quote.ts';

/** Request parameters besides the conversation; empty fields are omitted. */
export interface Parameters {
  readonly system: string;
  readonly temperature: string;
  readonly topP: string;
  readonly maxTokens: string;
}

export const noParameters: Parameters = { system: '', temperature: '', topP: '', maxTokens: '' };

/** A prompt with its images (as data URLs), and the response, if any. */
export interface Exchange {
  readonly question: string;
  readonly pictures: readonly string[];
  readonly answer: string | undefined;
}

/** True if the input is not a finite number. */
export const isInvalidNumber = (text: string): boolean => text.trim() !== '' && !Number.isFinite(Number(text));

export const hasValidNumbers = ({ temperature, topP, maxTokens }: Parameters): boolean =>
  ![temperature, topP, maxTokens].some(isInvalidNumber);

const numberOf = (text: string): number | undefined =>
  text.trim() === '' || isInvalidNumber(text) ? undefined : Number(text);

const contentOf = ({ question, pictures }: Exchange) =>
  pictures.length === 0
    ? question
    : [{ type: 'text', text: question }, ...pictures.map((url) => ({ type: 'image_url', image_url: { url } }))];

/** Streamed chat request with usage. */
export function chatRequest(model: string, parameters: Parameters, exchanges: readonly Exchange[]) {
  const { system, temperature, topP, maxTokens } = parameters;
  const numbers = {
    temperature: numberOf(temperature),
    top_p: numberOf(topP),
    max_tokens: numberOf(maxTokens),
  };
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
      ...exchanges.flatMap((exchange) => [
        { role: 'user', content: contentOf(exchange) },
        ...(exchange.answer ? [{ role: 'assistant', content: exchange.answer }] : []),
      ]),
    ],
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
    stream: true,
    stream_options: { include_usage: true },
  };
}

export type ChatRequest = ReturnType<typeof chatRequest>;

export const codeLanguages = ['curl', 'Python', 'JavaScript'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** The request as code. The key is read from the environment, because code is shared. */
export function requestCode(language: CodeLanguage, address: string, request: ChatRequest): string {
  const body = JSON.stringify(request, null, 2);
  if (language === 'curl') {
    return [
      `curl ${quoteShell(`${address}/v1/chat/completions`)} \\`,
      '  -H "Authorization: Bearer $OPENAI_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d ${quoteShell(body)}\n`,
    ].join('\n');
  }
  if (language === 'Python') {
    return [
      'import json, os',
      'from openai import OpenAI',
      '',
      `client = OpenAI(base_url=${quoteString(`${address}/v1`)}, api_key=os.environ["OPENAI_API_KEY"])`,
      `request = json.loads(${quoteString(JSON.stringify(request))})`,
      'for chunk in client.chat.completions.create(**request):',
      '    if chunk.choices:',
      '        print(chunk.choices[0].delta.content or "", end="", flush=True)\n',
    ].join('\n');
  }
  return [
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: ${quoteString(`${address}/v1`)}, apiKey: process.env.OPENAI_API_KEY });`,
    `const stream = await client.chat.completions.create(${body});`,
    'for await (const chunk of stream) {',
    "  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');",
    '}\n',
  ].join('\n');
}
