await import('../packages/server/src/commands/dump-config.ts');
