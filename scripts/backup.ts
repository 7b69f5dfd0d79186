await import('../packages/server/src/backup.ts');
