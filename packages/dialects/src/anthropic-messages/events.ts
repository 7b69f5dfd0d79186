import type { JsonObject } from '../json-fields.ts';

/** An event of the stream; its data repeats the event name. */
export const eventOf = (name: string, data: JsonObject): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
