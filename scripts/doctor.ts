await import('../packages/server/src/commands/doctor.ts');
