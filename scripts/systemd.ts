await import('../packages/server/src/commands/systemd.ts');
