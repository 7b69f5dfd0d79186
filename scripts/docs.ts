await import('../packages/server/src/commands/docs.ts');
