/** Lines of a relay that read dialect fields, each in a different way. */
export const plantedDialectFields: readonly string[] = [
  'export const said = (event: { choices: unknown }) => event;',
  "export const said = (event: Record<string, unknown>) => event['finish_reason'];",
  'export const used = ({ prompt_tokens: used }: Record<string, number>) => used;',
  'export const limits = { maxOutputTokens: 1 };',
  'export const isEmpty = (line: string) => line.includes(\'"choices":[]\');',
  'export const end = () => `data: [DONE]`;',
  'export const call = /"tool_calls":/;',
  "export const advice = 'Set max_tokens, or wait';",
  "export const has = (body: Record<string, unknown>) => body['tools'] != null;",
  "export const has = (body: Record<string, unknown>) => 'functions' in body;",
  'export const again = ({ echo }: Record<string, unknown>) => echo === true;',
  'export const guess = ({ body: { prediction } }: { body: any }) => prediction;',
  'export const question = (body: any) => { const { query } = body; return query; };',
  "export const ranked = (body: object) => listAt(body, 'documents');",
  "export const input = 'prompt';",
  "export const names = ['suffix', 'ending'];",
  'export const wish = (asked: { body: any }) => { const { size: wished } = asked.body; return wished; };',
  "export const fine = (wish: string) => wish === 'hd';",
  "export const isSpoken = (name: string) => name === 'input';",
  'export const call = (value: unknown) => (value as { call?: { arguments?: unknown } }).call;',
  'export const isCall = (value: unknown): value is { function: object } => value !== null;',
  'export const unstreamed = (body: object) => ({ ...body, stream: false });',
  "export const said = (part: Record<string, unknown>) => part['text'];",
  "export const why = (reply: object) => Reflect.get(reply, 'error');",
  'export const told = (reply: unknown) => { const { usage } = reply as JsonObject; return usage; };',
  'export const mark = (line: string) => line.includes(\'"tools"\');',
  "export const isFine = ({ quality }: JsonObject) => quality === 'high';",
  "export const speaks = (body: JsonObject) => body['voice'] !== undefined;",
  'export const chosen = (sent: unknown) => { const { model } = sent as JsonObject; return model; };',
  "export const forms = (form: FormData) => form.set('model', 'gpt-4o');",
];

/** Words that look like dialect fields but are not. */
export const acceptedDialectFields = {
  'packages/relay/src/words.ts': "export const said = 'No messages came, and no choices either';\n",
  'packages/relay/src/own-words.ts':
    'export const bound = (prompt: string, { size }: Set<string>, tools: { input: number }) => [prompt, size, tools.input];\n',
  'packages/relay/src/own-values.ts':
    "export const isText = (kind: { answers: 'text' | 'prompt' }) => kind.answers === 'text' && typeof kind !== 'function';\n",
};
