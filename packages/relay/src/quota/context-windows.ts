const thousand = 1024;

type Window = readonly [models: RegExp, tokens: number];

/**
 * Context windows of chat models, prompt and completion combined. A wrong window appears in model lists and changes the
 * amount reserved for files. Compared with the vendors' pages in 2026: xAI's except Grok 4.5, Claude from 4.6 on and
 * Haiku 4.5, Gemini 1.5 Flash, 2.0 Flash and 3.1 Pro. Grok 4.5, GPT-5.4 and 5.5 are taken from resellers; the others
 * were not compared. Claude Sonnet 4 and 4.5 are missing because their window depends on a header. Models that read
 * many texts per request, such as embedding models, have a limit per text instead.
 */
const windows: readonly Window[] = [
  [/^gpt-3\.5-turbo-instruct(?:-|$)/, 4096],
  [/^gpt-3\.5-turbo(?:-16k|-16k-0613|-1106|-0125)?$/, 16_385],
  [/^gpt-4-32k(?:-|$)/, 32_768],
  [/^gpt-4(?:-0314|-0613)?$/, 8192],
  [/^gpt-4-(?:turbo|1106-preview|0125-preview|vision-preview)(?:-|$)/, 128_000],
  [/^(?:gpt-4o|chatgpt-4o-latest)(?:-|$)/, 128_000],
  [/^gpt-4\.1(?:-|$)/, 1_047_576],
  [/^gpt-5(?:-mini|-nano|-codex)?(?:-\d{4}-\d{2}-\d{2})?$/, 400_000],
  [/^gpt-5\.[45](?:-pro)?(?:-\d{4}-\d{2}-\d{2})?$/, 1_050_000],
  [/^o1-(?:mini|preview)(?:-|$)/, 128_000],
  [/^(?:o1|o1-pro|o3|o3-mini|o3-pro|o4-mini)(?:-\d{4}-\d{2}-\d{2})?$/, 200_000],
  [/^claude-(?:instant-1\.2|2\.0)$/, 100_000],
  [/^claude-(?:2\.1|3-(?:opus|sonnet|haiku)|3-5-(?:sonnet|haiku)|3-7-sonnet)(?:-|$)/, 200_000],
  [/^claude-(?:opus-4-(?:0|1|5|20250514)|haiku-4-5)(?:-|$)/, 200_000],
  [/^claude-(?:(?:opus|sonnet)-4-6|(?:opus|sonnet)-5|opus-5-5|fable-5-1)(?:-\d{8})?$/, 1_000_000],
  [/^gemini-1\.5-pro(?:-|$)/, 2_097_152],
  [/^gemini-(?:1\.5-flash|2\.0-flash|2\.5-pro|2\.5-flash)(?:-lite|-8b)?(?:-\d{3})?$/, 1_048_576],
  [/^gemini-3\.1-pro-preview(?:-customtools)?$/, 1_048_576],
  [/^grok-(?:4(?:-1)?-fast|4\.20)(?:-|$)/, 2_000_000],
  [/^grok-4\.5$/, 500_000],
  [/^(?:grok-4(?:-0709|-latest)?|grok-code-fast-1)$/, 256_000],
  [/^grok-3(?:-mini)?(?:-fast)?(?:-beta|-latest)?$/, 131_072],
  [/^grok-2-vision-1212$/, 32_768],
  [/^MiniMax-Text-01$/, 4_000_000],
  [/^qwen-long(?:-|$)/, 10_000_000],
  [/^command(?:-light)?$/, 4096],
  [/^command-r(?:-plus)?(?:-\d{2}-\d{4})?$/, 128_000],
];

/** Model families whose name contains the context window, in units of 1,024 tokens. */
const windowInName =
  /^(?:moonshot-v1|step-[12]v?|ERNIE-[\w.]+|Doubao-\w+|hunyuan-\w+|Baichuan2-Turbo|yi-34b-chat)-(\d{1,3})k(?:-|$)/i;

/** Cache: there are few names and many requests. */
const known = new Map<string, number | undefined>();
const maxKnown = 1000;

/** Context window in tokens, prompt and completion combined; undefined if unknown. */
export function contextWindowOf(model: string): number | undefined {
  if (known.has(model)) return known.get(model);
  const tokens = lookUp(model);
  if (known.size >= maxKnown) known.clear();
  known.set(model, tokens);
  return tokens;
}

function lookUp(model: string): number | undefined {
  const found = windows.find(([models]) => models.test(model));
  if (found) return found[1];
  const thousands = windowInName.exec(model)?.[1];
  return thousands === undefined ? undefined : Number(thousands) * thousand;
}
