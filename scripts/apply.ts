await import('../packages/server/src/commands/apply.ts');
