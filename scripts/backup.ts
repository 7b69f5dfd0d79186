await import('../packages/server/src/commands/backup.ts');
