await import('../packages/server/src/commands/restore.ts');
