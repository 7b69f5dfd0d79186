/** What of a request is not text: how many of its bytes that is, and how many tokens it may count. */
export interface Attachments {
  readonly bytes: number;
  readonly tokens: number;
}

/** The dearest picture of the models named so; of any other the dearest that providers charge for. */
const pictureTokens: readonly [name: RegExp, tokens: number][] = [
  [/gpt-4o-mini/, 48_169],
  [/qwen|qvq/i, 16_384],
];
const dearestPicture = 5000;

/** Of sound in base64: no provider counts more than 32 tokens a second, for which no WAV or MP3 has less than 1,000 bytes. */
const soundBytesPerToken = 16;

/** Of what is only pointed at, such as a film or an uploaded file. */
const pointedAtTokens = 131_072;

/** Parts that are text and nothing else. */
const textTypes: ReadonlySet<unknown> = new Set([
  undefined,
  'text',
  'input_text',
  'output_text',
  'refusal',
  'thinking',
]);

type Fields = Readonly<Record<string, unknown>>;

const none: Attachments = { bytes: 0, tokens: 0 };

/** Looks at the parts of messages, or of an input. What it does not know is text, and counts by its bytes. */
export function attachmentsIn(input: unknown, model: string): Attachments {
  if (!Array.isArray(input)) return none;
  let bytes = 0;
  let tokens = 0;
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const found = attachmentOf(part as Fields, model);
    bytes += found.bytes;
    tokens += found.tokens;
  };
  for (const item of input) {
    if (typeof item !== 'object' || item === null) continue;
    const { content, audio } = item as Fields;
    if (Array.isArray(content)) content.forEach(look);
    else if (content === undefined) look(item);
    // An earlier answer in sound is pointed at by its number.
    if (isFields(audio)) tokens += pointedAtTokens;
  }
  return { bytes, tokens };
}

function attachmentOf(part: Fields, model: string): Attachments {
  const { type } = part;
  if (textTypes.has(type)) return none;
  if (type === 'image_url' || type === 'input_image') return pictureOf(part['image_url'], model);
  if (type === 'input_audio') return soundOf(part['input_audio']);
  return { bytes: 0, tokens: pointsAway(part) ? pointedAtTokens : 0 };
}

function pictureOf(image: unknown, model: string): Attachments {
  const url = isFields(image) ? image['url'] : image;
  const tokens = pictureTokens.find(([name]) => name.test(model))?.[1] ?? dearestPicture;
  return { bytes: typeof url === 'string' && url.startsWith('data:image/') ? url.length : 0, tokens };
}

function soundOf(sound: unknown): Attachments {
  const { data, format } = isFields(sound) ? sound : {};
  if (typeof data !== 'string' || pointsAway(data)) return { bytes: 0, tokens: pointedAtTokens };
  if (format !== 'wav' && format !== 'mp3') return none;
  return { bytes: data.length, tokens: Math.ceil(data.length / soundBytesPerToken) };
}

/** Some text in it is an address, or the number of a file that is kept elsewhere. */
function pointsAway(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return /_?id$/i.test(name) || /^(?:https?|gs|oss|s3|file):/i.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, field]) => pointsAway(field, key));
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
