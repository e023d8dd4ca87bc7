import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextPaths, execForm, readDockerfile } from '../scripts/dockerfile.ts';
import { settings } from '../src/config/index.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const version: string = JSON.parse(read('package.json')).version;
/** The bound of a stop in src/app/program.ts, in seconds. */
const stopSeconds = Number(/const stopMs = (\d+)_000;/.exec(read('src/app/program.ts'))?.[1]);

describe('the Dockerfile', () => {
  const stages = readDockerfile(read('Dockerfile'));
  const last = stages.at(-1)?.instructions ?? [];
  const only = (name: string) => {
    const [one, ...others] = last.filter((instruction) => instruction.name === name);
    if (one === undefined || others.length > 0) throw new Error(`not one ${name} in the last stage`);
    return one;
  };

  it('starts Node itself, not as root, with a health check', () => {
    expect([...execForm(only('ENTRYPOINT')), ...execForm(only('CMD'))]).toEqual([
      'node',
      '--max-semi-space-size=8',
      '/app/dist/main.js',
      'serve',
    ]);
    expect(only('USER').rest).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(only('HEALTHCHECK').rest).toContain(' CMD ["node", ');
  });

  it('copies only what is there and what .dockerignore lets through', () => {
    const allowed = contextPaths(read('.dockerignore'));
    expect(allowed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
    expect(copied.filter((path) => path !== '.' && !allowed.includes(path))).toEqual([]);
  });

  it('has the manifest of every package when npm ci looks for it', () => {
    const build = stages[0]?.instructions ?? [];
    const before = build.slice(
      0,
      build.findIndex(({ rest }) => rest === 'npm ci'),
    );
    const wanted = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json packages/${name}/`);
    expect(before.map(({ rest }) => rest)).toEqual(expect.arrayContaining(wanted));
  });
});

it('everything that starts the gateway gives it longer to stop than it takes', () => {
  const given = {
    compose: /stop_grace_period: (\d+)s/.exec(read('compose.yaml'))?.[1],
    cluster: /stop_grace_period: (\d+)s/.exec(read('compose.cluster.yaml'))?.[1],
    systemd: /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/messaging-gateway.service'))?.[1],
    helm: /^terminationGracePeriodSeconds: (\d+)$/m.exec(read('deploy/helm/messaging-gateway/values.yaml'))?.[1],
  };
  for (const [where, seconds] of Object.entries(given)) expect([where, Number(seconds) > stopSeconds]).toEqual([where, true]);
});

it('the chart gives a pod the time, too, for which its settings have it go on answering', () => {
  const template = read('deploy/helm/messaging-gateway/templates/statefulset.yaml');
  const given = /^ +terminationGracePeriodSeconds: (.+)$/m.exec(template)?.[1];
  expect(given).toBe('{{ add .Values.terminationGracePeriodSeconds (.Values.settings.STOP_DELAY_SECONDS | default "0" | int) }}');
});

it('the chart lets nobody set what it sets itself', () => {
  const template = read('deploy/helm/messaging-gateway/templates/statefulset.yaml');
  const set = [...template.matchAll(/- name: ([A-Z_]+)$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => Object.hasOwn(settings, name) && !template.includes(`hasKey .Values.settings "${name}"`));
  expect(set).toEqual(['HOST', 'PORT', 'DATA_DIR', 'NODE_URL']);
  const schema = JSON.parse(read('deploy/helm/messaging-gateway/values.schema.json'));
  expect(schema.properties.settings.propertyNames.not.enum).toEqual(expect.arrayContaining(set));
});

it('all name the version of the program', () => {
  for (const file of ['compose.yaml', 'compose.cluster.yaml']) expect(/image: messaging-gateway:(\S+)/.exec(read(file))?.[1]).toBe(version);
  const chart = read('deploy/helm/messaging-gateway/Chart.yaml');
  expect([/^version: (\S+)$/m.exec(chart)?.[1], /^appVersion: "(\S+)"$/m.exec(chart)?.[1]]).toEqual([version, version]);
});

it('.env.example names the file from which the systemd unit reads the settings', () => {
  const [, file] = /^EnvironmentFile=-(\S+)$/m.exec(read('deploy/systemd/messaging-gateway.service')) ?? [];
  expect(/systemd: EnvironmentFile=(\S+)/.exec(read('.env.example'))?.[1]).toBe(file);
});
