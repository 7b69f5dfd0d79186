import type { JsonObject } from '@headgate/dialects';
import { imageUrl, type Wire } from '@headgate/testkit';

/** A request independent of any dialect. */
export interface ChatCase {
  readonly model: string;
  readonly isStream?: boolean;
  readonly system?: string;
  readonly turns: readonly Turn[];
  readonly hasTools?: boolean;
  /** True if the only tool must be called. */
  readonly forcesTool?: boolean;
  readonly hasSchema?: boolean;
  /** True if at most one tool call per turn is allowed. */
  readonly callsSingly?: boolean;
  readonly stop?: string;
  readonly limit?: number;
  readonly thinks?: boolean;
}

export type Turn =
  | { readonly user: string; readonly hasPicture?: boolean; readonly attached?: 'sound' | 'document' }
  /** The model's earlier output, as the client stored it. */
  | { readonly echo: readonly JsonObject[] }
  | { readonly results: readonly ToolResult[] };

interface ToolResult {
  readonly call: ParsedToolCall;
  readonly text: string;
}

export interface ParsedToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A response as parsed by a client. */
interface ParsedResponse {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ParsedToolCall[];
  readonly finish: Finish | undefined;
  readonly usage: TokenUsage;
  /** Items that the client sends back in its next turn. */
  readonly echo: readonly JsonObject[];
}

export type Finish = 'stop' | 'length' | 'tool';

interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  /** Undefined if the dialect has no such field. */
  readonly cached: number | undefined;
  /** Undefined if the dialect has no such field. */
  readonly reasoning: number | undefined;
}

/** How a dialect requests each feature, and how its clients read responses. */
export interface DialectRow {
  readonly name: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly path: (chatCase: ChatCase) => string;
  readonly body: (chatCase: ChatCase) => JsonObject;
  readonly read: (body: JsonObject) => ParsedResponse;
  /** Combines a stream's events into one response. */
  readonly gather: (events: readonly JsonObject[]) => JsonObject;
  /** The stored output of a client that drops reasoning. */
  readonly withoutThoughts: (echo: readonly JsonObject[]) => readonly JsonObject[];
  /** Reads the error from a body in this dialect's format; throws if the body is not an error. */
  readonly error: (body: JsonObject) => { readonly message: string };
  /** Reads the error from the event that ends a stream. */
  readonly errorEvent: (event: JsonObject) => { readonly message: string } | undefined;
  /** Features that the dialect cannot express. */
  readonly lacks: readonly Feature[];
}

/** Features that a pair of dialect and wire may not support. */
export type Feature = 'forced tool' | 'schema' | 'stop' | 'sound' | 'document' | 'one call at a time';

/** Output of a model. */
export interface ModelOutput {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (keyof typeof cities)[];
  readonly finish?: Finish;
}

/** A request as received by an upstream, parsed strictly in the upstream's format. */
export interface ReceivedChat {
  readonly system: string;
  readonly turns: readonly ReceivedTurn[];
  readonly tools: readonly string[];
  readonly forced?: string | undefined;
  readonly schema?: unknown;
  readonly stop?: unknown;
  readonly limit?: unknown;
}

export type ReceivedTurn =
  | { readonly user: string; readonly pictures: number }
  | {
      readonly assistant: string;
      readonly calls: readonly string[];
      readonly thought?: string;
      readonly signature?: string;
    }
  | { readonly results: Readonly<Record<string, string>> };

/** How an upstream is called and how it responds. */
export interface WireRow {
  readonly name: string;
  readonly wire: Wire;
  /** Dialects tested with it; all if absent. */
  readonly clients?: readonly DialectRow[];
  readonly model: string;
  readonly thinker: string;
  readonly whole: (output: ModelOutput) => JsonObject;
  readonly pieces: (output: ModelOutput) => readonly (string | Buffer)[];
  /** Event that signals an error inside a stream. */
  readonly broken: string | Buffer;
  readonly read: (body: JsonObject) => ReceivedChat;
  /** Unsupported features, by the name used in the error. */
  readonly rejectedFeatures: Partial<Readonly<Record<Feature, string>>>;
  /** Ignored features, by the name reported to the client. */
  readonly drops?: Partial<Readonly<Record<Feature, string>>>;
  /** Usage reported in addition to ten prompt and five completion tokens, which all wires report. */
  readonly tells: { readonly cached: number; readonly reasoning: number };
  /** Reasoning before a tool call that is sent back to the upstream: text and signature, text only, or nothing. */
  readonly thoughtBack: { readonly thought?: string; readonly signature?: string };
}

export const cities = { Oslo: 'rain', Rome: 'sun' } as const;
export const reasoningText = 'Let me look';
export const reasoningSignature = 'c2VhbC1vZi1pdHMtbWFrZXI=';
export const splitText = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3)];
export const callId = (city: string): string => `call_${city}`;

export const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;

export const [, imageData = ''] = imageUrl.split(',');
export const imageType = 'image/png';

/** Minimal audio and PDF data that the relay accepts. */
export const attachments = {
  sound: { mediaType: 'audio/wav', data: 'UklGRiQAAABXQVZF' },
  document: { mediaType: 'application/pdf', data: 'JVBERi0xLjQKJUVPRgo=' },
} as const;
