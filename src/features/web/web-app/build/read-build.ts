import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type Language, languagesOf } from './languages';
import { Template } from './template';
import { TemplateNotUnderstood, WebAppIncompatible } from './web-app-build.api';
import { ADVERTISED_VERSION } from '../../../../platform/version';

/** A file of a build, as of the server's start. */
export interface StaticFile {
  /** Its path on the disk. */
  readonly file: string;
  readonly size: number;
  /** Changes with the content. */
  readonly version: string;
  /** Whether its name changes with its content, so that clients can cache it forever. */
  readonly isImmutable: boolean;
}

/** A hash in a name: 12 or 20 hexadecimal digits between dots, or after a slash. */
const HASHED = /(?:\.|\/)(?:[0-9a-f]{12}|[0-9a-f]{20})\.[^/]+$/;

/**
 * All files below a folder, by path with `/` as the separator. Only listed files are served, so that no request can
 * access anything else. Anything but regular files, such as links, is left out.
 */
function indexFolder(folder: string): Map<string, StaticFile> {
  const index = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    const { size, mtimeMs } = statSync(file);
    const version = `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`;
    index.set(path, { file, size, version, isImmutable: HASHED.test(`/${path}`) });
  }
  return index;
}

/** Files of a release, relative to its folder. */
const STATS = 'webpack-stats-production.json';
const NAMES = 'staticfiles.json';
const LANGUAGES = 'locale/language_name_map.json';
const TEMPLATES = 'templates';
const SHELL = 'zerver/app/index.html';
const FILES = 'prod-static/serve';

/** Prefix of the paths in the list of bundles. */
const BUNDLES = 'webpack-bundles';

/** The block of the shell that must exist. */
const CONTENT = 'content';

/** The web app of a release, unpacked by the operator. */
export interface WebAppBuild {
  readonly folder: string;
  /** The release to which it belongs. */
  readonly version: string;
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Paths of what the page loads, in order. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** Original names of files whose served names change with their content. */
  readonly names: ReadonlyMap<string, string>;
  readonly languages: readonly Language[];
  readonly shell: Template;
}

/** Reads and validates the folder. @throws WebAppIncompatible listing everything that is missing or invalid */
export function readBuild(folder: string): WebAppBuild {
  const root = resolve(folder);
  const problems: string[] = [];
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      problems.push(sentence(error));
      return otherwise;
    }
  };
  const version = attempt(() => text(root, 'version').trim(), '');
  const files = attempt(() => filesOf(root), new Map<string, StaticFile>());
  const bundles = attempt(() => bundlesOf(root), []);
  const names = attempt(() => namesOf(root), new Map<string, string>());
  const languages = attempt(() => languagesOf(LANGUAGES, text(root, LANGUAGES)), []);
  const shell = attempt(() => shellOf(root), null);
  if (files.size > 0) {
    problems.push(
      ...bundles.filter((path) => !files.has(path)).map((path) => `${FILES}/${path} is missing.`),
    );
  }
  if (problems.length > 0 || shell === null) throw new WebAppIncompatible(root, problems);
  const styles = bundles.filter((path) => path.endsWith('.css'));
  const scripts = bundles.filter((path) => path.endsWith('.js'));
  return { folder: root, version, files, styles, scripts, names, languages, shell };
}

/** A warning if the build belongs to another release than the server; null otherwise. */
export function versionNotice({ version }: Pick<WebAppBuild, 'version'>): string | null {
  const release = version.replace(/^(\d+\.\d+).*$/s, '$1');
  if (release === ADVERTISED_VERSION) return null;
  return (
    `The web app belongs to release ${version}, but this server implements ${ADVERTISED_VERSION}. ` +
    'Some features may not work.'
  );
}

/** The translations for a language; empty if the build has none. */
export function translationsOf({ folder }: WebAppBuild, locale: string): Record<string, string> {
  const file = `locale/${locale}/translations.json`;
  if (locale === 'en' || !exists(folder, file)) return {};
  const entries = Object.entries(objectOf(file, text(folder, file)));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function filesOf(root: string): Map<string, StaticFile> {
  if (!exists(root, FILES)) throw new Error(`${FILES} is missing.`);
  return indexFolder(join(root, FILES));
}

function bundlesOf(root: string): string[] {
  const { status, chunks } = objectOf(STATS, text(root, STATS)) as {
    status?: unknown;
    chunks?: { app?: unknown };
  };
  if (status !== 'done')
    throw new Error(`${STATS} describes an unfinished build: its "status" is not "done".`);
  const app = chunks?.app;
  const names = Array.isArray(app) ? app.map(nameOf) : [];
  if (!names.some((name) => name.endsWith('.js'))) throw new Error(`${STATS} has no script in "chunks.app".`);
  return names.filter((name) => /\.(js|css)$/.test(name)).map((name) => `${BUNDLES}/${name}`);
}

/** Older releases have objects instead of names. */
function nameOf(bundle: unknown): string {
  const name = typeof bundle === 'string' ? bundle : (bundle as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : '';
}

function namesOf(root: string): Map<string, string> {
  const { paths } = objectOf(NAMES, text(root, NAMES)) as { paths?: unknown };
  if (typeof paths !== 'object' || paths === null) throw new Error(`${NAMES} has no "paths".`);
  return new Map(Object.entries(paths).map(([plain, name]) => [plain, String(name)]));
}

function shellOf(root: string): Template {
  const file = `${TEMPLATES}/${SHELL}`;
  const include = (name: string) =>
    exists(root, `${TEMPLATES}/${name}`) ? text(root, `${TEMPLATES}/${name}`) : null;
  const shell = Template.parse(file, text(root, file), include);
  if (!shell.has(CONTENT)) throw new Error(`${file} has no block "${CONTENT}".`);
  return shell;
}

function exists(root: string, path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

function text(root: string, path: string): string {
  if (!exists(root, path)) throw new Error(`${path} is missing.`);
  return readFileSync(join(root, path), 'utf8');
}

function objectOf(file: string, json: string): Record<string, unknown> {
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below, like a value of another type.
  }
  throw new Error(`${file} is not a JSON object.`);
}

function sentence(error: unknown): string {
  const { message, code, path } = error as NodeJS.ErrnoException;
  if (error instanceof TemplateNotUnderstood || code === undefined) return message;
  return `Cannot read ${path ?? 'a file'} (${code}).`;
}
