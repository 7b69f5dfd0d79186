import type { JsonObject } from '@headgate/dialects';
import { pictureUrl, type Wire } from '@headgate/testkit';

/** A question, in no dialect's words. */
export interface Asking {
  readonly model: string;
  readonly isStream?: boolean;
  readonly system?: string;
  readonly turns: readonly Turn[];
  readonly hasTools?: boolean;
  /** The one tool must be called. */
  readonly forcesTool?: boolean;
  readonly hasSchema?: boolean;
  /** No more than one call in a turn. */
  readonly callsSingly?: boolean;
  readonly stop?: string;
  readonly limit?: number;
  readonly thinks?: boolean;
}

export type Turn =
  | { readonly user: string; readonly hasPicture?: boolean; readonly attached?: 'sound' | 'document' }
  /** What the model said before, as the client keeps it. */
  | { readonly echo: readonly JsonObject[] }
  | { readonly results: readonly ToolResult[] };

interface ToolResult {
  readonly call: HeardCall;
  readonly text: string;
}

export interface HeardCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a client made of an answer. */
interface Heard {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly HeardCall[];
  readonly finish: Finish | undefined;
  readonly usage: TokenUsage;
  /** What it gives back in its next turn. */
  readonly echo: readonly JsonObject[];
}

export type Finish = 'stop' | 'length' | 'tool';

interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  /** Undefined where the dialect has no place for it. */
  readonly cached: number | undefined;
  /** Undefined where the dialect has no place for it. */
  readonly reasoning: number | undefined;
}

/** How one dialect asks for each feature, and how its clients read what they get. */
export interface DialectRow {
  readonly name: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly path: (asking: Asking) => string;
  readonly body: (asking: Asking) => JsonObject;
  readonly read: (body: JsonObject) => Heard;
  /** A stream's events as one answer. */
  readonly gather: (events: readonly JsonObject[]) => JsonObject;
  /** The same as a client keeps it that knows nothing of thoughts. */
  readonly withoutThoughts: (echo: readonly JsonObject[]) => readonly JsonObject[];
  /** The error in a body of this dialect's shape; throws when it is in none. */
  readonly error: (body: JsonObject) => { readonly message: string };
  /** The same for the event that ends a stream. */
  readonly errorEvent: (event: JsonObject) => { readonly message: string } | undefined;
  /** It has no words for these. */
  readonly lacks: readonly Feature[];
}

/** What a pair of a dialect and a wire may be unable to do. */
export type Feature = 'forced tool' | 'schema' | 'stop' | 'sound' | 'document' | 'one call at a time';

/** What a model says. */
export interface Said {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (keyof typeof cities)[];
  readonly finish?: Finish;
}

/** What arrived at an upstream, read strictly from its own words. */
export interface Seen {
  readonly system: string;
  readonly turns: readonly SeenTurn[];
  readonly tools: readonly string[];
  readonly forced?: string | undefined;
  readonly schema?: unknown;
  readonly stop?: unknown;
  readonly limit?: unknown;
}

export type SeenTurn =
  | { readonly user: string; readonly pictures: number }
  | {
      readonly assistant: string;
      readonly calls: readonly string[];
      readonly thought?: string;
      readonly signature?: string;
    }
  | { readonly results: Readonly<Record<string, string>> };

/** How one upstream answers, and how it is asked. */
export interface WireRow {
  readonly name: string;
  readonly wire: Wire;
  /** The dialects that it is asked in; absent: all. */
  readonly clients?: readonly DialectRow[];
  readonly model: string;
  readonly thinker: string;
  readonly whole: (said: Said) => JsonObject;
  readonly pieces: (said: Said) => readonly (string | Buffer)[];
  /** How it tells within a stream that it cannot go on. */
  readonly broken: string | Buffer;
  readonly read: (body: JsonObject) => Seen;
  /** What it cannot do, by the name under which that is refused. */
  readonly refuses: Partial<Readonly<Record<Feature, string>>>;
  /** What it does without, by the name under which the client is told. */
  readonly leavesOut?: Partial<Readonly<Record<Feature, string>>>;
  /** What it tells beside the ten and five tokens that all of them tell. */
  readonly tells: { readonly cached: number; readonly reasoning: number };
  /** What it has back of a thought that led to a call: with its seal, its words alone, or nothing. */
  readonly thoughtBack: { readonly thought?: string; readonly signature?: string };
}

export const cities = { Oslo: 'rain', Rome: 'sun' } as const;
export const thoughtText = 'Let me look';
export const thoughtSeal = 'c2VhbC1vZi1pdHMtbWFrZXI=';
export const halves = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3)];
export const callId = (city: string): string => `call_${city}`;

export const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;

export const [, pictureData = ''] = pictureUrl.split(',');
export const pictureType = 'image/png';

/** Of a sound and of a PDF, as far as a relay looks. */
export const attachments = {
  sound: { mediaType: 'audio/wav', data: 'UklGRiQAAABXQVZF' },
  document: { mediaType: 'application/pdf', data: 'JVBERi0xLjQKJUVPRgo=' },
} as const;
