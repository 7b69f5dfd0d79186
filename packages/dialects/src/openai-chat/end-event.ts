/** Data of the last event, which is not JSON. */
export const endMark = '[DONE]';

export const endEvent = `data: ${endMark}\n\n`;
