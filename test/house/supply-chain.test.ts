// What npm may bring in: one version of everything, by its hash, from the registry that is configured, and no
// code at installation (T32).
import { describe, expect, it } from 'vitest';
import { textOf } from './source.ts';

type Package = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};
type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Package>> };
type Manifest = Readonly<Record<string, Readonly<Record<string, string | boolean>> | undefined>>;

const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides'] as const;
/** A second version of a package is named after it: `"typescript-7": "npm:typescript@7.0.2"`. */
const versionOf = (name: string, asked: string | boolean): string =>
  String(asked).replace(`npm:${name.replace(/-\d+$/, '')}@`, '');
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * Packages that bring an installation script which need not run: their program lies in another package of
 * theirs.
 */
const scriptsNotRun: readonly string[] = ['esbuild'];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function looseVersions(manifest: Manifest): string[] {
  return groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([name, version]) => !exact.test(versionOf(name, version)))
      .map(([name, version]) => `${name} is asked for as ${version}: name one version`),
  );
}

function faultsOfLock({ packages }: Lock, manifest: Manifest): string[] {
  const allowed = [...scriptsNotRun, ...Object.keys(manifest.allowScripts ?? {})];
  return Object.entries(packages).flatMap(([path, { version, resolved, integrity, link, hasInstallScript }]) => {
    if (path === '') return [];
    const name = nameOf(path);
    const faults: string[] = [];
    if (resolved !== undefined)
      faults.push(`${name} comes from ${resolved}: the registry is whoever installs' to choose`);
    if (link) faults.push(`${name} is a link`);
    if (!integrity?.startsWith('sha512-')) faults.push(`${name} has no hash of 512 bits`);
    if (!exact.test(version ?? '')) faults.push(`${name} has no version`);
    if (hasInstallScript && !allowed.includes(name)) faults.push(`${name} runs a script when it is installed`);
    return faults;
  });
}

/** What the manifest asks for and the lockfile has in another version, or not at all. */
function unlocked(manifest: Manifest, { packages }: Lock): string[] {
  return groups
    .filter((group) => group !== 'overrides')
    .flatMap((group) => Object.entries(manifest[group] ?? {}))
    .filter(([name, version]) => packages[`node_modules/${name}`]?.version !== versionOf(name, version))
    .map(([name]) => `${name} is not locked`);
}

const manifest: Manifest = JSON.parse(textOf('package.json'));
const lock: Lock = JSON.parse(textOf('package-lock.json'));

describe('a package is refused', () => {
  const good: Package = { version: '1.2.3', integrity: `sha512-${'A'.repeat(86)}==` };
  const faultsOf = (more: Package) =>
    faultsOfLock(
      { lockfileVersion: 3, packages: { '': {}, 'node_modules/a/node_modules/@b/c': { ...good, ...more } } },
      {},
    );

  it.each<[string, Package]>([
    ['of a registry of its own', { resolved: 'https://registry.evil.test/@b/c.tgz' }],
    ['of the usual registry by its address', { resolved: 'https://registry.npmjs.org/@b/c/-/c-1.2.3.tgz' }],
    ['out of a repository', { resolved: 'git+ssh://git@github.com/b/c.git#0123456' }],
    ['that is a folder of this machine', { link: true }],
    ['with the weaker hash of the past', { integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
    ['with a script at installation', { hasInstallScript: true }],
  ])('%s', (_what, more) => {
    expect(faultsOf(more)).toEqual([expect.stringContaining('@b/c ')]);
  });
  it('without a hash, and never when all is right', () => {
    expect(faultsOfLock({ lockfileVersion: 3, packages: { 'node_modules/a': { version: '1.2.3' } } }, {})).toHaveLength(
      1,
    );
    expect(faultsOf({})).toEqual([]);
  });
  it.each([
    '^1.2.3',
    '~1.2.3',
    '1.x',
    '*',
    'latest',
    '>=1',
    'github:a/b',
    'file:../b',
    'https://a.test/b.tgz',
    'npm:c@1.2.3',
  ])('that is asked for as %s', (version) => {
    expect(looseVersions({ devDependencies: { a: version } })).toHaveLength(1);
  });
});

describe('what npm brings in', () => {
  it('is asked for in one version each', () => {
    expect(looseVersions(manifest)).toEqual([]);
  });
  it('is locked, by its hash, from the registry that is configured, and runs nothing when installed but what is listed', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    expect(faultsOfLock(lock, manifest)).toEqual([]);
    expect(unlocked(manifest, lock)).toEqual([]);
    expect(unlocked({ dependencies: { fastify: '0.0.1' } }, lock)).toEqual(['fastify is not locked']);
  });
  it('needs every exception that it has', () => {
    const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = new Set(withScript.map(([path]) => nameOf(path)));
    expect([...names].sort()).toEqual([...scriptsNotRun, ...Object.keys(manifest.allowScripts ?? {})].sort());
  });
  it('is brought in for the image by the lockfile, and no script of it runs there', () => {
    const installs = textOf('Dockerfile').match(/npm (ci|install|i)\b.*/g) ?? [];
    expect(installs.length).toBeGreaterThan(0);
    for (const install of installs) expect(install).toMatch(/^npm ci .*--ignore-scripts/);
  });
  it('is configured in the checkout without a registry and without a secret', () => {
    expect(textOf('.npmrc')).not.toMatch(/registry\s*=|_auth|token/i);
  });
});
