import { quoteShell, quoteString } from './quote.ts';
import type { SnippetClient, SnippetPart } from './snippet.ts';

const lines = (...texts: readonly string[]): string => texts.join('\n');
const exported = (name: string, value: string): string => `export ${name}=${quoteShell(value)}`;
const inTerminal = (text: SnippetPart['text']): SnippetPart => ({ place: 'Terminal', language: 'shell', text });
const inField = (place: string, text: SnippetPart['text']): SnippetPart => ({ place, language: 'text', text });
const asJson = (value: unknown): string => JSON.stringify(value, undefined, 2);

const question = { role: 'user', content: 'Hello' };

/** A container cannot reach its host's loopback address unless it shares the host network. */
function dockerNetwork(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(host) ? '--network host' : '-p 8080:8080';
}

/** Supported programs and their snippets. */
export const snippetClients: readonly SnippetClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    prefers: ['claude sonnet', 'claude opus', 'claude'],
    prefersSmall: 'claude haiku',
    parts: [
      inTerminal(({ address, key, model, smallModel }) =>
        lines(
          exported('ANTHROPIC_BASE_URL', address),
          exported('ANTHROPIC_AUTH_TOKEN', key),
          exported('ANTHROPIC_MODEL', model),
          exported('ANTHROPIC_DEFAULT_HAIKU_MODEL', smallModel),
          'claude',
        ),
      ),
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    prefers: ['codex', 'gpt'],
    note: 'Add these lines at the top of the file. Codex reads the key from the environment.',
    parts: [
      {
        place: '~/.codex/config.toml',
        language: 'toml',
        text: ({ address, model }) =>
          lines(
            `model = ${quoteString(model)}`,
            'model_provider = "headgate"',
            '',
            '[model_providers.headgate]',
            'name = "Headgate"',
            `base_url = ${quoteString(`${address}/v1`)}`,
            'env_key = "HEADGATE_API_KEY"',
            'wire_api = "responses"',
          ),
      },
      inTerminal(({ key }) => lines(exported('HEADGATE_API_KEY', key), 'codex')),
    ],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    prefers: ['gemini pro', 'gemini'],
    note: 'Gemini CLI requires https, except for localhost.',
    parts: [
      // With a base URL but no authentication type, Gemini CLI rejects both.
      {
        place: '~/.gemini/settings.json',
        language: 'json',
        text: () => asJson({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
      inTerminal(({ address, key, model }) =>
        lines(
          exported('GOOGLE_GEMINI_BASE_URL', address),
          exported('GEMINI_API_KEY', key),
          `gemini --model ${quoteShell(model)}`,
        ),
      ),
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    note: 'In Cursor, open Settings → Models. Cursor calls this URL from its own servers, so it must be reachable from the internet.',
    parts: [
      inField('OpenAI API Key', ({ key }) => key),
      inField('Override OpenAI Base URL', ({ address }) => `${address}/v1`),
      inField('Add Custom Model', ({ model }) => model),
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    parts: [
      {
        place: '~/.config/opencode/opencode.json',
        language: 'json',
        text: ({ address, key, model }) =>
          asJson({
            $schema: 'https://opencode.ai/config.json',
            model: `headgate/${model}`,
            provider: {
              headgate: {
                npm: '@ai-sdk/openai-compatible',
                name: 'Headgate',
                options: { baseURL: `${address}/v1`, apiKey: key },
                models: { [model]: {} },
              },
            },
          }),
      },
    ],
  },
  {
    id: 'aider',
    name: 'aider',
    parts: [
      inTerminal(({ address, key, model }) =>
        lines(
          exported('OPENAI_API_BASE', `${address}/v1`),
          exported('OPENAI_API_KEY', key),
          `aider --model ${quoteShell(`openai/${model}`)}`,
        ),
      ),
    ],
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    note: 'Then open port 8080 of that machine in a browser.',
    parts: [
      inTerminal(({ address, key }) =>
        lines(
          `docker run -d --name open-webui ${dockerNetwork(address)} \\`,
          `  -e ${quoteShell(`OPENAI_API_BASE_URL=${address}/v1`)} \\`,
          `  -e ${quoteShell(`OPENAI_API_KEY=${key}`)} \\`,
          '  -v open-webui:/app/backend/data \\',
          '  ghcr.io/open-webui/open-webui:main',
        ),
      ),
    ],
  },
  {
    id: 'curl',
    name: 'curl',
    parts: [
      inTerminal(({ address, key, model }) =>
        lines(
          `curl ${quoteShell(`${address}/v1/chat/completions`)} \\`,
          `  -H ${quoteShell(`Authorization: Bearer ${key}`)} \\`,
          `  -H 'Content-Type: application/json' \\`,
          `  -d ${quoteShell(asJson({ model, messages: [question] }))}`,
        ),
      ),
    ],
  },
  {
    id: 'python',
    name: 'Python',
    note: 'Requires: pip install openai',
    parts: [
      {
        place: 'Python',
        language: 'python',
        text: ({ address, key, model }) =>
          lines(
            'from openai import OpenAI',
            '',
            `client = OpenAI(base_url=${quoteString(`${address}/v1`)}, api_key=${quoteString(key)})`,
            'completion = client.chat.completions.create(',
            `    model=${quoteString(model)},`,
            `    messages=[{"role": ${quoteString(question.role)}, "content": ${quoteString(question.content)}}],`,
            ')',
            'print(completion.choices[0].message.content)',
          ),
      },
    ],
  },
  {
    id: 'javascript',
    name: 'JavaScript',
    note: 'Requires: npm install openai',
    parts: [
      {
        place: 'JavaScript',
        language: 'javascript',
        text: ({ address, key, model }) =>
          lines(
            `import OpenAI from 'openai';`,
            '',
            `const client = new OpenAI({ baseURL: ${quoteString(`${address}/v1`)}, apiKey: ${quoteString(key)} });`,
            'const completion = await client.chat.completions.create({',
            `  model: ${quoteString(model)},`,
            `  messages: [{ role: ${quoteString(question.role)}, content: ${quoteString(question.content)} }],`,
            '});',
            'console.log(completion.choices[0].message.content);',
          ),
      },
    ],
  },
];
