await import('../packages/server/src/doctor.ts');
