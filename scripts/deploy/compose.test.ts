import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../packages/server/src/config.ts';
import { repositoryRoot } from '../repository.ts';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: { readonly caddyfile: { readonly content: string } };
  readonly volumes: Readonly<Record<string, null>>;
}

const has = (program: string, parameter: string) => spawnSync(program, [parameter]).status === 0;

describe.each(['compose.yaml', 'postgres.yaml'])('deploy/compose/%s', (name) => {
  const text = readFileSync(join(repositoryRoot, 'deploy/compose', name), 'utf8');
  const { services, configs, volumes } = parse(text, { merge: true }) as ComposeFile;
  const gateways = Object.entries(services).filter(([service]) => service.startsWith('headgate'));
  const caddyfile = configs.caddyfile.content.replace(/\$\{DOMAIN\}/, 'gateway.example');

  test('publishes only Caddy, whose domain is a required variable', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([service]) => service)).toEqual(['caddy']);
    expect(text).toMatch(/PUBLIC_URL: https:\/\/\$\{DOMAIN:\?/);
    expect(configs.caddyfile.content).toMatch(/^\$\{DOMAIN\} \{\n/);
  });

  test('gives every service a health check, and every gateway its own volume', () => {
    for (const [service, { healthcheck }] of Object.entries(services)) expect(healthcheck.test[0], service).toBe('CMD');
    const own = gateways.map(([, service]) => service.volumes[0]?.split(':')[0] ?? '');
    expect(new Set(own).size).toBe(gateways.length);
    for (const volume of own) expect(volumes).toHaveProperty(volume);
  });

  test('starts Caddy after the gateways, and proxies to them without buffering', () => {
    const names = gateways.map(([service]) => service);
    expect(Object.keys(services['caddy']?.depends_on ?? {})).toEqual(names);
    expect(caddyfile).toContain(`reverse_proxy ${names.map((gateway) => `${gateway}:3000`).join(' ')} {`);
    expect(caddyfile).toContain('flush_interval -1');
  });

  test('waits for the shutdown, and sets only settings that are valid', () => {
    for (const [, { stop_grace_period = '', environment = {} }] of gateways) {
      const given = { ROOT_PASSWORD: 'x'.repeat(20), SECRET_KEY: 'x'.repeat(20) };
      const { shutdownDrainMs, shutdownGraceMs, trustedProxies } = readConfig({ ...environment, ...given });
      expect(Number.parseInt(stop_grace_period, 10) * 1000).toBeGreaterThanOrEqual(
        shutdownDrainMs + shutdownGraceMs + 10_000,
      );
      expect(text).toContain(`subnet: ${trustedProxies[0]}`);
    }
  });

  test.skipIf(!has('caddy', 'version'))('has a valid Caddyfile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-caddy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, caddyfile);
    const { status, stderr } = spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});
