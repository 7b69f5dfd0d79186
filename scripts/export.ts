await import('../packages/server/src/commands/export.ts');
