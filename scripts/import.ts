await import('../packages/server/src/commands/import.ts');
