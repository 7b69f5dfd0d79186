/** Field names that all dialects in this package share for the text of a message or part, and its author. */
export const commonMessageFields = { role: 'role', name: 'name', text: 'text' } as const;
