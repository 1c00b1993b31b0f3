// Performs the steps of the Dockerfile in a folder, where there is no engine: the last stage lies in
// `FOLDER/image` afterwards.
//   node scripts/image-steps.ts FOLDER   installs the packages with `npm ci`, as an engine would
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export type Step = { readonly name: string; readonly words: string };

/** The instructions in their order, with continued lines joined. */
export function readSteps(text: string): Step[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ', 1)[0]!, words: line.slice(line.indexOf(' ') + 1).trim() }));
}

type Stage = { readonly folder: string; workdir: string; user: string; readonly env: Record<string, string> };
export type Image = Stage & { entrypoint: string[]; command: string[]; healthcheck: string[] };

/** The folders that our steps name: the rest of the base image is this machine. */
const ownFolders = /(?<=^|[\s=:"'])\/(?=(?:app|data|usr\/local\/bin)\b)/g;

/** A path of the image as one of this machine. */
export const within = ({ folder }: Stage, text: string): string => text.replaceAll(ownFolders, `${folder}/`);

/** Patterns of .dockerignore, as far as ours go: names at the root, with stars. */
export function ignored(path: string, patterns: readonly string[]): boolean {
  const [first = ''] = path.split('/');
  return patterns.some((pattern) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(first),
  );
}

export type Performing = {
  readonly folder: string;
  /** Does a RUN step in another way, and gives true. */
  readonly instead?: (command: string, stage: Stage) => boolean;
};

/** Reads the Dockerfile of the checkout and does what it says. */
export function performSteps({ folder, instead = () => false }: Performing): Image {
  const steps = readSteps(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const stages = new Map<string, Image>();
  let stage: Image | undefined;
  for (const { name, words } of steps) {
    if (name === 'FROM') {
      const [, as = 'image'] = / AS (\S+)$/.exec(words) ?? [];
      stage = openStage(join(folder, as));
      stages.set(as, stage);
    } else if (stage === undefined) throw new Error(`${name} comes before FROM`);
    else perform(name, words, { stage, stages, patterns, instead });
  }
  if (stage === undefined) throw new Error('There is no stage');
  return stage;
}

function openStage(folder: string): Image {
  const bin = join(folder, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  return { folder, workdir: '/', user: 'root', env: {}, entrypoint: [], command: [], healthcheck: [] };
}

type Around = {
  readonly stage: Image;
  readonly stages: ReadonlyMap<string, Image>;
  readonly patterns: readonly string[];
  readonly instead: NonNullable<Performing['instead']>;
};

function perform(name: string, words: string, around: Around): void {
  const { stage } = around;
  if (name === 'WORKDIR') {
    stage.workdir = words;
    mkdirSync(within(stage, words), { recursive: true });
  } else if (name === 'ENV')
    Object.assign(stage.env, Object.fromEntries(words.split(' ').map((pair) => pair.split('='))));
  else if (name === 'COPY') copy(words.split(' '), around);
  else if (name === 'RUN') runStep(words, around);
  else if (name === 'USER') stage.user = words;
  else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(words);
  else if (name === 'CMD') stage.command = JSON.parse(words);
  else if (name === 'HEALTHCHECK') stage.healthcheck = JSON.parse(words.slice(words.indexOf('[')));
  // A volume and a port are for the engine that runs the image.
  else if (!['VOLUME', 'EXPOSE'].includes(name)) throw new Error(`The step ${name} is not known here`);
}

function copy(words: readonly string[], { stage, stages, patterns }: Around): void {
  const [, from] = /^--from=(.+)$/.exec(words[0]!) ?? [];
  const paths = from ? words.slice(1) : [...words];
  const target = paths.pop()!;
  const source = from ? stages.get(from) : undefined;
  if (from && !source) throw new Error(`There is no stage ${from}`);
  for (const path of paths) {
    const file = source ? within(source, path) : join(root, path);
    const inside = target.endsWith('/') && path !== '.' ? join(target, basename(path)) : target;
    const to = resolve(within(stage, stage.workdir), within(stage, inside));
    mkdirSync(dirname(to), { recursive: true });
    const keeps = (entry: string) => entry === file || !ignored(entry.slice(root.length), patterns);
    cpSync(file, to, { recursive: true, verbatimSymlinks: true, ...(source ? {} : { filter: keeps }) });
  }
}

function runStep(words: string, { stage, instead }: Around): void {
  for (const command of words.split(' && ')) {
    if (instead(command, stage)) continue;
    const { status, stderr } = spawnSync('sh', ['-euc', within(stage, asOurUser(command))], {
      cwd: within(stage, stage.workdir),
      env: environmentOf(stage),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  }
}

/** The base image has a user `node` with this number. Without root's rights everything is ours already. */
export const userOfImage = process.getuid?.() === 0 ? 1000 : undefined;
const asOurUser = (command: string): string =>
  command.replace(/^chown node:node/, userOfImage === undefined ? 'true' : `chown ${userOfImage}:${userOfImage}`);

/** What a process of the image sees: its variables, and its own programs before those of this machine. */
export function environmentOf(stage: Stage): Record<string, string> {
  const env = Object.fromEntries(Object.entries(stage.env).map(([name, value]) => [name, within(stage, value)]));
  return { ...env, PATH: [join(stage.folder, 'usr/local/bin'), process.env.PATH].join(delimiter) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('Usage: node scripts/image-steps.ts FOLDER');
  const image = performSteps({ folder: resolve(folder) });
  console.log(
    `${image.folder} holds the image, which starts with ${[...image.entrypoint, ...image.command].join(' ')}`,
  );
}
