import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { readConfig, settings } from '../src/config/index.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const image = `messaging-gateway:${JSON.parse(read('package.json')).version}`;
const domain = 'gateway.example.com';
/** What a platform makes: 64 hex digits. */
const key = 'ab'.repeat(32);

/** What a template gives the container, whatever its format. */
interface Deployment {
  readonly image: string;
  /** As the platform fills it in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where its volumes are mounted. */
  readonly mounts: readonly string[];
  /** The port that the platform's proxy is sent to. */
  readonly port: number;
  /** null: that of the image. */
  readonly health: readonly string[] | null;
}

const service = z.object({
  image: z.string(),
  environment: z.union([z.array(z.string()), z.record(z.string(), z.string())]),
  volumes: z.array(z.string()),
  expose: z.array(z.number()).optional(),
  ports: z.array(z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
});
const compose = z.object({ services: z.object({ gateway: service }) });
type Service = z.infer<typeof service>;

const composeFiles = ['coolify/messaging-gateway.yaml', 'dokploy/docker-compose.yml', 'compose/compose.yaml'];
const gatewayIn = (file: string): Service => compose.parse(parseYaml(read(`deploy/templates/${file}`))).services.gateway;

/** The environment of a Compose file with these variables: `${NAME}`, `${NAME:-default}`, `${NAME:?what it is}`. */
function filled({ environment }: Service, variables: Readonly<Record<string, string>>): Record<string, string> {
  const lines = Array.isArray(environment) ? environment : Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const value = (text: string) =>
    text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
      if (kind === '?' && variables[name] === undefined) throw new Error(`${name} is not set: ${rest}`);
      return variables[name] ?? (kind === '-' ? rest : '');
    });
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', text] = /^(\w+)(?:=(.*))?$/.exec(line) ?? [];
      return [name, value(text ?? `\${${name}}`)];
    }),
  );
}

const fromService = (one: Service, variables: Readonly<Record<string, string>>, port: number): Deployment => ({
  image: one.image,
  environment: filled(one, variables),
  mounts: one.volumes.map((volume) => volume.split(':')[1] ?? ''),
  port,
  health: one.healthcheck?.test ?? null,
});

/** Each template as its platform documents that it reads it. */
const platforms: Readonly<Record<string, () => Deployment>> = {
  coolify() {
    const text = read('deploy/templates/coolify/messaging-gateway.yaml');
    for (const field of ['documentation', 'slogan', 'category', 'tags']) expect(text).toMatch(new RegExp(`^# ${field}: \\S`, 'm'));
    const port = Number(/^# port: (\d+)$/m.exec(text)?.[1]);
    // SERVICE_URL_<service>_<port> asks for an address that leads to the port; SERVICE_HEX_64_… is 64 hex digits (older versions: docs/platforms.md).
    const address = `https://${domain}`;
    const made = { SERVICE_URL_GATEWAY_3000: address, SERVICE_URL_GATEWAY: address, SERVICE_HEX_64_GATEWAY: key };
    const deployment = fromService(gatewayIn('coolify/messaging-gateway.yaml'), made, port);
    const { [`SERVICE_URL_GATEWAY_${port}`]: asked, ...environment } = deployment.environment;
    expect(asked).toBe(address);
    return { ...deployment, environment };
  },

  dokploy() {
    const template = z
      .object({
        variables: z.record(z.string(), z.string()),
        config: z.object({
          env: z.array(z.string()),
          mounts: z.array(z.unknown()),
          domains: z.array(z.object({ serviceName: z.string(), port: z.number(), host: z.string() })).length(1),
        }),
      })
      .parse(parseToml(read('deploy/templates/dokploy/template.toml')));
    expect(JSON.parse(read('deploy/templates/dokploy/meta.json'))).toMatchObject({ id: 'messaging-gateway', version: image.split(':')[1] });
    // Helpers: a name of its own, and so many hex digits.
    const helpers: Readonly<Record<string, string>> = { domain, 'hash:64': key };
    const expand = (text: string, values: Readonly<Record<string, string>>) =>
      text.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => values[name] ?? whole);
    const variables = Object.fromEntries(Object.entries(template.variables).map(([name, text]) => [name, expand(text, helpers)]));
    const [{ serviceName, port, host } = { serviceName: '', port: 0, host: '' }] = template.config.domains;
    expect([serviceName, expand(host, variables)]).toEqual(['gateway', domain]);
    const env = template.config.env.map((line) => expand(line, variables).split(/=(.*)/s).slice(0, 2));
    const one = gatewayIn('dokploy/docker-compose.yml');
    expect(one.expose).toEqual([port]);
    // All that the Compose file takes is in the template's environment, and the other way about.
    const wanted = Object.keys(filled(one, {}));
    expect(env.map(([name]) => name)).toEqual(wanted);
    return fromService(one, Object.fromEntries(env), port);
  },

  easypanel() {
    const { services } = z
      .object({
        services: z
          .array(
            z.object({
              type: z.literal('app'),
              data: z.strictObject({
                serviceName: z.string().regex(/^[a-z0-9-_]+$/),
                source: z.object({ type: z.literal('image'), image: z.string() }),
                env: z.string(),
                domains: z.array(z.object({ host: z.literal('$(EASYPANEL_DOMAIN)'), port: z.number() })).length(1),
                mounts: z.array(z.object({ type: z.literal('volume'), name: z.string(), mountPath: z.string() })),
                // Two containers on one database would be in each other's way.
                deploy: z.object({ replicas: z.literal(1), zeroDowntime: z.literal(false) }),
              }),
            }),
          )
          .length(1),
      })
      .parse(JSON.parse(read('deploy/templates/easypanel/messaging-gateway.json')));
    const [{ data }] = z.tuple([z.object({ data: z.any() })]).parse(services) as [(typeof services)[number]];
    const lines = data.env.replaceAll('$(PRIMARY_DOMAIN)', domain).split('\n');
    return {
      image: data.source.image,
      environment: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))),
      mounts: data.mounts.map(({ mountPath }) => mountPath),
      port: data.domains[0]?.port ?? 0,
      health: null,
    };
  },

  caprover() {
    const text = read('deploy/templates/caprover/messaging-gateway.yml');
    const app = z
      .object({
        captainVersion: z.literal(4),
        caproverOneClickApp: z.object({
          variables: z.array(z.object({ id: z.string(), label: z.string(), defaultValue: z.string(), validRegex: z.string() })),
          instructions: z.object({ start: z.string(), end: z.string() }),
          displayName: z.string(),
          description: z.string().max(200),
        }),
      })
      .parse(parseYaml(text)).caproverOneClickApp;
    const values = app.variables.map(({ id, defaultValue, validRegex }) => {
      const value = defaultValue.replace('$$cap_gen_random_hex(64)', key);
      expect(value).toMatch(new RegExp(validRegex.slice(1, -1)));
      return [id, value] as const;
    });
    const known = [...values, ['$$cap_appname', 'gateway'], ['$$cap_root_domain', 'example.com']] as const;
    const installed = known.reduce((all, [name, value]) => all.replaceAll(name, () => value), text);
    expect(installed.replaceAll('$$cap_gen_random_hex(64)', '')).not.toContain('$$cap');
    const [[name, one] = []] = Object.entries(
      z
        .object({ services: z.record(z.string(), service.extend({ caproverExtra: z.object({ containerHttpPort: z.string() }) })) })
        .parse(parseYaml(installed)).services,
    );
    if (one === undefined) throw new Error('no service');
    expect(name).toBe('gateway');
    return fromService(one, {}, Number(one.caproverExtra.containerHttpPort));
  },

  compose() {
    const one = gatewayIn('compose/compose.yaml');
    const given = { PUBLIC_URL: `https://${domain}`, SECRET_KEY: key };
    expect(() => filled(one, {})).toThrow('PUBLIC_URL');
    expect(() => filled(one, { PUBLIC_URL: given.PUBLIC_URL })).toThrow('SECRET_KEY');
    expect(filled(one, { ...given, PORT: '8080' })).toMatchObject({ PORT: '8080' });
    return fromService(one, given, 3000);
  },
};

describe.each(Object.entries(platforms))('the template for %s', (name, read) => {
  const deployment = read();

  it('has the image of this version, the data on a volume, and the port that the image listens on', () => {
    expect(deployment).toMatchObject({ image, mounts: ['/data'], port: 3000 });
  });

  it('sets nothing but settings of the gateway, which it starts with', () => {
    expect(Object.keys(deployment.environment).filter((setting) => !Object.hasOwn(settings, setting))).toEqual([]);
    const config = readConfig({ HOST: '0.0.0.0', DATA_DIR: '/data', ...deployment.environment });
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3000, dataDir: '/data', publicUrl: `https://${domain}`, databaseUrl: null });
    // The platform's proxy, in whichever network.
    expect(config.trustProxy).toEqual(expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12']));
    // Easypanel gives a template nothing secret that is hex: there the gateway makes its key, on the volume.
    if (name === 'easypanel') expect(config.secretKey).toBeNull();
    else expect(deployment.environment.SECRET_KEY).toBe(key);
  });

  it('checks its health as the image does', () => {
    const check = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? '';
    expect(deployment.health ?? ['CMD', ...JSON.parse(check)]).toEqual(['CMD', ...JSON.parse(check)]);
  });
});

it.each(composeFiles)('%s gives the gateway longer to stop than it takes', (file) => {
  const stopSeconds = Number(/const stopMs = (\d+)_000;/.exec(read('src/app/program.ts'))?.[1]);
  expect(Number(gatewayIn(file).stop_grace_period?.replace(/s$/, ''))).toBeGreaterThan(stopSeconds);
});

describe('compose.caddy.yaml', () => {
  const { services } = z
    .object({
      services: z.object({
        gateway: z.object({ environment: z.record(z.string(), z.string()) }),
        caddy: z.object({ environment: z.record(z.string(), z.string()), volumes: z.array(z.string()) }),
      }),
    })
    .parse(parseYaml(read('compose.caddy.yaml')));

  it('adds Caddy to compose.yaml, with the Caddyfile of one server', () => {
    const { services: base } = z.object({ services: z.record(z.string(), z.unknown()) }).parse(parseYaml(read('compose.yaml')));
    expect(Object.keys(base)).toEqual(['gateway']);
    expect(Object.keys(services.gateway.environment).filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    const [file = ''] = services.caddy.volumes.find((volume) => volume.includes('Caddyfile'))?.split(':') ?? [];
    const used = [...read(file).matchAll(/\{\$(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(services.caddy.environment)).toEqual(used);
  });
});

describe('the workflows', () => {
  const workflow = (name: string) =>
    z
      .object({
        on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
        permissions: z.record(z.string(), z.string()),
        jobs: z.record(
          z.string(),
          z.object({
            if: z.string().optional(),
            strategy: z.object({ matrix: z.object({ include: z.array(z.object({ platform: z.string() })) }) }).optional(),
            steps: z.array(
              z.object({
                if: z.string().optional(),
                uses: z.string().optional(),
                run: z.string().optional(),
                with: z.record(z.string(), z.unknown()).optional(),
              }),
            ),
          }),
        ),
      })
      .parse(parseYaml(read(`.github/workflows/${name}.yaml`)));

  it('build the image for both architectures, with provenance, and publish it only for a tag', () => {
    const { jobs } = workflow('image');
    expect(jobs.build?.strategy?.matrix.include.map(({ platform }) => platform)).toEqual(['linux/amd64', 'linux/arm64']);
    const build = jobs.build?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({ provenance: 'mode=max', sbom: true });
    expect(build?.with?.outputs).toMatch(/push=\$\{\{ github\.ref_type == 'tag' \}\}/);
    expect(jobs.publish?.if).toBe("github.ref_type == 'tag'");
  });

  it('publish the package for a tag alone, with provenance, after the test of its contents', () => {
    const { jobs, permissions } = workflow('package');
    expect(permissions['id-token']).toBe('write');
    const steps = jobs.publish?.steps ?? [];
    const at = (text: string) => steps.findIndex(({ run }) => run?.includes(text));
    expect(at('test/cli/package.test.ts')).toBeGreaterThan(at('npm ci'));
    expect(at('npm publish --provenance')).toBeGreaterThan(at('test/cli/package.test.ts'));
    expect(steps[at('npm publish')]?.if).toBe("github.ref_type == 'tag'");
  });
});
