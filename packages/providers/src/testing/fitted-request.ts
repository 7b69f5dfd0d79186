import { type ChatRequest, readChatRequest } from '@headgate/dialects';
import { fitRequest } from '../fit-request.ts';
import type { ChatAdaptor, JsonObject } from '../provider.ts';

/** The request that the relay passes to the adaptor. */
export const fittedRequest = (adaptor: ChatAdaptor, body: JsonObject): ChatRequest =>
  fitRequest(readChatRequest(body), adaptor).request;
