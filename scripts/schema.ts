await import('../packages/server/src/commands/schema.ts');
