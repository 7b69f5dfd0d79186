/** Field names that all dialects here share for the text of a message or part, and its author. */
export const commonMessageFields = { role: 'role', name: 'name', text: 'text' } as const;
