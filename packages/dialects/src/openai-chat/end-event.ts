/** Data of the last event, which is not JSON. */
export const endMarker = '[DONE]';

export const endEvent = `data: ${endMarker}\n\n`;
