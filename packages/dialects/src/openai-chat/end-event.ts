/** What the last event of a stream holds in place of JSON. */
export const endMark = '[DONE]';

export const endEvent = `data: ${endMark}\n\n`;
