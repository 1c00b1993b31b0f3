// Bundles the server into build/server/: a start then reads a handful of files instead of fifteen hundred,
// and strips no types.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stampBuild, stampOfBuild, stampOfServer } from './build-stamp.ts';

/** Loaded only when a collector of traces is set. */
const telemetry = [
  'api',
  'exporter-metrics-otlp-http',
  'exporter-trace-otlp-http',
  'resources',
  'sdk-metrics',
  'sdk-trace',
].map((name) => `@opentelemetry/${name}`);
/** Native, or loaded by few only when they need it. */
const native = ['@node-rs/argon2', '@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'];
/** What the built server loads from node_modules; file-type is imported by a worker, in its text. */
export const packagesOutside: readonly string[] = [...native, ...telemetry, 'file-type'];

/**
 * Builds into `folder`, which lies two below the root, as the sources do: they find the root and the built
 * web from where they are.
 */
export async function bundleServer(root: string, folder: string): Promise<void> {
  const { build } = await import('vite');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: { BUILT_VERSION: JSON.stringify(version) },
    // GraphQL is one thing to all who ask for it, or its types are not their own.
    resolve: { mainFields: ['main'] },
    ssr: { noExternal: true, external: [...native, ...telemetry, 'pg-native'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: {
        // The second is a program that the server starts.
        input: {
          main: join(root, 'src/server/main.ts'),
          'row-worker': join(root, 'src/server/platform/imports/row-worker.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  cpSync(join(root, 'src/server/platform/db/migrations'), join(folder, 'migrations'), { recursive: true });
}

export const builtServer = (root: string): string => join(root, 'build', 'server');

/**
 * Builds build/server/ unless it is up to date. `beforeMove` builds the web when the bundle is complete. If
 * that fails, the earlier server stays with the earlier web.
 */
export async function buildServer(root: string, beforeMove = async () => {}): Promise<void> {
  const stamp = stampOfServer(root);
  const folder = builtServer(root);
  if (stampOfBuild(folder) === stamp) return beforeMove();
  const made = join(root, 'build', `server-${process.pid}`);
  mkdirSync(join(root, 'build'), { recursive: true });
  try {
    await bundleServer(root, made);
    stampBuild(made, stamp);
    await beforeMove();
    // Another process may have finished the same build and started it.
    if (stampOfBuild(folder) === stamp) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  } catch (error) {
    // Or finish it between the last two lines.
    if (stampOfBuild(folder) !== stamp) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
