/** Names that every dialect here has for what a message or a part of one says, and who says it. */
export const usualMessageFields = { role: 'role', name: 'name', text: 'text' } as const;
