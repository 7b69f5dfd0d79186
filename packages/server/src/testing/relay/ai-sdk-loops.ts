import { createOpenAI as createOpenAIv2 } from '@ai-sdk/openai-v2';
import { createOpenAI as createOpenAIv3 } from '@ai-sdk/openai-v3';
import { tool as weather } from '@headgate/testkit';
import type * as ai from 'ai';
import * as aiV5 from 'ai-v5';
import * as aiV6 from 'ai-v6';

interface Conversation {
  readonly model: string;
  readonly questions: readonly string[];
  readonly weatherOf: (city: string) => string;
}

/** Sends each prompt in one conversation, running the tools that the model calls. Returns the text of each response. */
type AiConversation = (conversation: Conversation) => Promise<readonly string[]>;

const maxSteps = 5;

/** Parts of the AI SDK that all of its versions share. */
type AiSdk = Pick<typeof ai, 'generateText' | 'streamText' | 'jsonSchema' | 'tool' | 'stepCountIs'>;

interface Version {
  readonly sdk: AiSdk;
  readonly modelOf: (id: string) => ai.LanguageModel;
}

function conversationOf({ sdk, modelOf }: Version, isStream: boolean): AiConversation {
  return async ({ model, questions, weatherOf }) => {
    const { description, parameters } = weather;
    const inputSchema = sdk.jsonSchema<{ city: string }>(parameters);
    const execute = async ({ city }: { readonly city: string }) => weatherOf(city);
    const tools = { weather: sdk.tool({ description, inputSchema, execute }) };
    const messages: ai.ModelMessage[] = [];
    const texts: string[] = [];
    for (const question of questions) {
      messages.push({ role: 'user', content: question });
      const call = { model: modelOf(model), messages, tools, stopWhen: sdk.stepCountIs(maxSteps), maxRetries: 0 };
      const result = isStream ? sdk.streamText(call) : await sdk.generateText(call);
      texts.push(await result.text);
      messages.push(...(await result.response).messages);
    }
    return texts;
  };
}

/** The AI SDK with its default OpenAI provider, configured with only the address and the key. */
export function aiSdkConversations(url: string, key: string): Readonly<Record<string, AiConversation>> {
  const settings = { baseURL: `${url}/v1`, apiKey: key };
  const versions: Readonly<Record<string, Version>> = {
    'ai 5': { sdk: aiV5 as unknown as AiSdk, modelOf: createOpenAIv2(settings) as unknown as Version['modelOf'] },
    'ai 6': { sdk: aiV6 as unknown as AiSdk, modelOf: createOpenAIv3(settings) as unknown as Version['modelOf'] },
  };
  return Object.fromEntries(
    Object.entries(versions).flatMap(([name, version]) => [
      [`generateText of ${name}`, conversationOf(version, false)],
      [`streamText of ${name}`, conversationOf(version, true)],
    ]),
  );
}
