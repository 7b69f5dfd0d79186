await import('../packages/server/src/dump-config.ts');
