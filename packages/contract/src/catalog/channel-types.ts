/** Where a field of the channel form is stored: on the channel, or in its `config` JSON. */
export type ChannelFieldLocation = 'base_url' | 'other' | `config.${ChannelConfigKey | ChannelTimeoutKey}`;

export const channelConfigKeys = ['region', 'sk', 'ak', 'user_id', 'vertex_ai_project_id', 'vertex_ai_adc'] as const;
export type ChannelConfigKey = (typeof channelConfigKeys)[number];

/** Per-channel timeouts, available for every type. Not part of the specification. */
export const channelTimeoutKeys = ['first_byte_seconds', 'idle_seconds'] as const;
type ChannelTimeoutKey = (typeof channelTimeoutKeys)[number];

export interface ChannelField {
  readonly place: ChannelFieldLocation;
  readonly label: string;
  readonly placeholder?: string;
  readonly required?: true;
  /** The form warns if this field is empty, because most channels of the type need it. */
  readonly usual?: true;
  readonly secret?: true;
  readonly multiline?: true;
  /** Value sent if the field is empty. */
  readonly initial?: string;
}

/** Allowed range of the upstream timeouts, in seconds. */
export const timeoutSeconds = { min: 1, max: 86_400 } as const;

/** Empty: the timeouts from the settings apply. */
export const channelTimeouts = [
  { place: 'config.first_byte_seconds', label: 'First-byte timeout (seconds)' },
  { place: 'config.idle_seconds', label: 'Idle timeout (seconds)' },
] as const satisfies readonly ChannelField[];

/** True if a string is a valid timeout; empty means none. */
export const isChannelTimeout = (text: string): boolean =>
  text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= timeoutSeconds.min && Number(text) <= timeoutSeconds.max);

/** Balance unit: dollars, yuan, ten-thousandths of a yuan, or the provider's own points. */
export type BalanceUnit = 'usd' | 'cny' | 'cny/10000' | 'points';

export interface OpenAiCompatible {
  /** Used by channels without a base URL; `/v1/…` is appended. */
  readonly baseUrl: string;
  /** Suggested models, newest first. Absent: OpenAI's own models. */
  readonly models?: readonly string[];
}

/** Properties of a channel type. */
export interface ChannelType {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly fields?: readonly ChannelField[];
  readonly keyHint?: string;
  /** Config fields that are joined by `|` to form the key; the admin does not enter the key itself. */
  readonly keyParts?: readonly ChannelConfigKey[];
  /** Note shown above the form's type-specific fields. */
  readonly note?: string;
  /** Absent: balances of this type cannot be read. */
  readonly balance?: BalanceUnit;
  /**
   * Set for a provider that is fully OpenAI-compatible and needs only this row. Other providers have code in the
   * providers package.
   */
  readonly openaiCompatible?: OpenAiCompatible;
  /** True if the type proxies any request and has no models. */
  readonly withoutModels?: true;
}

const requiredBaseUrl = (label: string, placeholder: string): ChannelField => ({
  place: 'base_url',
  label,
  placeholder,
  required: true,
});

/** In the order of the console's dropdown. */
export const channelTypes = [
  { id: 1, name: 'OpenAI', color: 'green', balance: 'usd' },
  { id: 14, name: 'Anthropic Claude', color: 'orange' },
  {
    id: 33,
    name: 'AWS',
    color: 'dark',
    keyParts: ['ak', 'sk', 'region'],
    fields: [
      { place: 'config.region', label: 'Region', placeholder: 'us-west-2', required: true },
      { place: 'config.ak', label: 'AWS IAM access key', required: true },
      { place: 'config.sk', label: 'AWS IAM secret key', required: true, secret: true },
    ],
  },
  {
    id: 3,
    name: 'Azure OpenAI',
    color: 'lime',
    note: 'The deployment name must match the model name without dots.',
    fields: [
      requiredBaseUrl('Azure OpenAI endpoint', 'https://example.openai.azure.com'),
      { place: 'other', label: 'API version', placeholder: '2024-03-01-preview', initial: '2024-03-01-preview' },
    ],
  },
  { id: 11, name: 'Google PaLM2', color: 'orange', note: 'Google has retired PaLM; use Google Gemini.' },
  { id: 24, name: 'Google Gemini', color: 'orange' },
  { id: 28, name: 'Mistral AI', color: 'orange' },
  { id: 41, name: 'Novita', color: 'grape' },
  {
    id: 40,
    name: 'ByteDance Doubao',
    color: 'blue',
    note: 'Create an endpoint first and use its name (ep-…) as the model name, directly or through model mapping.',
  },
  { id: 15, name: 'Baidu Wenxin Qianfan', color: 'blue', keyHint: 'APIKey|SecretKey' },
  {
    id: 17,
    name: 'Alibaba Tongyi Qianwen',
    color: 'orange',
    fields: [{ place: 'other', label: 'Plugin parameter', placeholder: 'Value of the X-DashScope-Plugin header' }],
  },
  {
    id: 18,
    name: 'iFlytek Spark',
    color: 'blue',
    keyHint: 'APPID|APISecret|APIKey',
    fields: [{ place: 'other', label: 'Model version', placeholder: 'v2.1' }],
  },
  { id: 16, name: 'Zhipu ChatGLM', color: 'violet' },
  { id: 19, name: '360 Zhinao', color: 'blue' },
  { id: 25, name: 'Moonshot AI', color: 'dark', balance: 'cny' },
  { id: 23, name: 'Tencent Hunyuan', color: 'teal', keyHint: 'AppId|SecretId|SecretKey' },
  { id: 26, name: 'Baichuan', color: 'orange' },
  { id: 27, name: 'MiniMax', color: 'red' },
  { id: 29, name: 'Groq', color: 'orange' },
  { id: 30, name: 'Ollama', color: 'dark' },
  { id: 31, name: '01.AI', color: 'green' },
  { id: 32, name: 'StepFun', color: 'blue' },
  {
    id: 34,
    name: 'Coze',
    color: 'blue',
    note: 'Use the bot ID as the model name, optionally prefixed with bot-.',
    fields: [{ place: 'config.user_id', label: 'User ID', placeholder: 'The user who generated the key', usual: true }],
  },
  { id: 35, name: 'Cohere', color: 'blue' },
  { id: 36, name: 'DeepSeek', color: 'dark', balance: 'cny' },
  {
    id: 37,
    name: 'Cloudflare',
    color: 'orange',
    fields: [
      { place: 'config.user_id', label: 'Account ID', placeholder: 'd8d7c61dbc334c32d3ced580e4bf42b4', usual: true },
    ],
  },
  { id: 38, name: 'DeepL', color: 'dark' },
  { id: 39, name: 'together.ai', color: 'blue' },
  {
    id: 42,
    name: 'VertexAI',
    color: 'blue',
    keyParts: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
    fields: [
      { place: 'config.region', label: 'Region', placeholder: 'us-east5', required: true },
      { place: 'config.vertex_ai_project_id', label: 'Project ID', required: true },
      {
        place: 'config.vertex_ai_adc',
        label: 'Google application default credentials JSON',
        required: true,
        secret: true,
        multiline: true,
      },
    ],
  },
  {
    id: 43,
    name: 'Proxy',
    color: 'blue',
    withoutModels: true,
    fields: [
      requiredBaseUrl('Base URL', 'https://api.example.com'),
      { place: 'other', label: 'Key header or ?query parameter', placeholder: 'Authorization' },
    ],
  },
  { id: 44, name: 'SiliconFlow', color: 'blue', balance: 'cny' },
  { id: 45, name: 'xAI', color: 'blue' },
  { id: 46, name: 'Ruyi', color: 'blue', fields: [requiredBaseUrl('Base URL', 'https://api.example.com')] },
  {
    id: 8,
    name: 'custom channel',
    color: 'pink',
    balance: 'usd',
    fields: [requiredBaseUrl('Base URL', 'https://api.example.com')],
  },
  {
    id: 22,
    name: 'knowledge base FastGPT',
    color: 'blue',
    keyHint: 'APIKey-AppId',
    fields: [
      { place: 'base_url', label: 'Private deployment address', placeholder: 'https://fastgpt.run/api/openapi' },
    ],
  },
  {
    id: 21,
    name: 'knowledge base AI Proxy',
    color: 'grape',
    fields: [{ place: 'other', label: 'Knowledge base ID', placeholder: '123456', usual: true }],
  },
  { id: 20, name: 'proxy OpenRouter', color: 'dark', balance: 'usd' },
  { id: 2, name: 'proxy API2D', color: 'blue', openaiCompatible: { baseUrl: 'https://oa.api2d.net' } },
  { id: 5, name: 'proxy OpenAI-SB', color: 'orange', balance: 'cny/10000' },
  { id: 7, name: 'proxy OhMyGPT', color: 'grape', openaiCompatible: { baseUrl: 'https://api.ohmygpt.com' } },
  { id: 10, name: 'proxy AI Proxy', color: 'grape', balance: 'points' },
  { id: 4, name: 'proxy CloseAI', color: 'teal', balance: 'cny' },
  { id: 6, name: 'proxy OpenAI Max', color: 'violet', openaiCompatible: { baseUrl: 'https://api.openaimax.com' } },
  { id: 9, name: 'proxy AI.LS', color: 'yellow', openaiCompatible: { baseUrl: 'https://api.caipacity.com' } },
  { id: 12, name: 'proxy API2GPT', color: 'blue', balance: 'cny' },
  { id: 13, name: 'proxy AIGC2D', color: 'grape', balance: 'points' },
] as const satisfies readonly ChannelType[];

export type ChannelTypeId = (typeof channelTypes)[number]['id'];

/** Types that need no code beyond their row. */
export type OpenAiCompatibleId = Extract<(typeof channelTypes)[number], { openaiCompatible: OpenAiCompatible }>['id'];

export const openaiCompatibleTypes: readonly (ChannelType & {
  readonly id: OpenAiCompatibleId;
  readonly openaiCompatible: OpenAiCompatible;
})[] = channelTypes.filter((type) => 'openaiCompatible' in type);

const byId: ReadonlyMap<number, ChannelType> = new Map(channelTypes.map((type) => [type.id, type]));

/** Undefined for ids from later releases; such channels are kept and shown with their type number. */
export const channelType = (id: number): ChannelType | undefined => byId.get(id);

export const isChannelTypeId = (id: number): id is ChannelTypeId => byId.has(id);

/** Options for a select. */
export const channelTypeOptions = channelTypes.map(({ id, name, color }) => ({
  key: id,
  text: name,
  value: id,
  color,
}));
