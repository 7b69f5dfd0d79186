import { type ChatRequest, readChatRequest } from '@headgate/dialects';
import { fitRequest } from '../fit-request.ts';
import type { ChatAdaptor, JsonObject } from '../provider.ts';

/** A request as the relay passes it to the adaptor. */
export const fittedRequest = (adaptor: ChatAdaptor, body: JsonObject): ChatRequest =>
  fitRequest(readChatRequest(body), adaptor).request;
