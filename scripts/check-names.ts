import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as ts from 'typescript';

/**
 * Checks names of folders, files and declarations. Prints one line per problem and fails if there are any; also lists
 * the longest files, which is a prompt to think and never a failure.
 */
const root = join(__dirname, '..');

/** The suffixes by which a file states its role. Files without decorators have plain names. */
const featureRoles = [
  'module',
  'controller',
  'api',
  'service',
  'access',
  'hooks',
  'entity',
  'directory',
  'guard',
  'migration',
  'interceptor',
];
const platformRoles = [
  ...featureRoles,
  'errors',
  'events',
  'wire',
  'decorator',
  'filter',
  'options',
  'storage',
];
const programRoles = ['module', 'factory'];

/** Folder names that invite unrelated contents. */
const junkDrawers = new Set([
  'base',
  'common',
  'helper',
  'helpers',
  'lib',
  'manager',
  'misc',
  'util',
  'utils',
]);

/** Words of the wire with different names inside, and the word to use. */
const wireWords: Record<string, string> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  subjects: 'topics',
  realm: 'organization',
  realms: 'organizations',
  huddle: 'direct message',
  huddles: 'direct messages',
};

/** Words for which the field has a standard one. */
const oddWords: Record<string, string> = {
  hold: 'lock',
  turns: 'semaphore',
  stance: 'policy',
};

/** Files that may use the words of the wire. */
const wireFiles =
  /((\.(api|errors|events|wire|spec)\.ts|\/migrations\/[^/]+)$|^src\/conformance\/|^src\/features\/moving\/export\/archive\/|^src\/features\/moving\/import\/(converting|source|tables)\/)/;

/** Files that use Node's byte streams may call them streams. */
const nodeStreams = /from 'node:stream(\/[a-z]+)?'/;

/** Declared names that may contain a word of the wire. */
const allowedNames = new Set([
  // The environment variable is named in the specification.
  'webPublicStreamsEnabled',
]);

/** Decorators of classes whose role the file name must state. */
const wiring = /^@(Module|Controller|Injectable|Catch|Entity)\(/m;

/** Paths of one machine, and notes to oneself. */
const strayText = /(?<=^|[\s'"`(=])\/(home|root|Users|w[o]rk|mnt)\/|\b(T[O]DO|F[I]XME|X{3})\b/;

/** Circumlocutions for a term of the field or for an actor, and British spelling. */
const foreignText = /\b(whoever|somebody|those who|what is to|behaviours?|neighbours?|defences?)\b/i;

/** Awkward phrases in comments, `colour`, and lines with only punctuation that reflowing leaves behind. */
const awkwardComment =
  /^\s*(?:\/\*\*|\*|\/\/)(?:.*\b(?:told of|tells? of|says of|comes? by|came by|belongs? into|ha(?:s|ve) not the|counts? for nothing|in the place of|is none of|colours?)\b|\s*[.,;:]+$)/i;

/** Where comments are checked for them; not yet in all tests. */
const plainComments = /^(?:src|console|scripts|bench|test\/(?:support|architecture))\/.*\.(?:tsx?|mjs)$/;

/** Texts for readers; docs/asvs.md quotes titles of tests. */
const ownText = /^(src|console|scripts)\/.*\.tsx?$|^(docs\/(?!asvs\.md).*|[^/]+)\.md$/;

const longFile = 400;

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Splits `channelId`, `channel_id` and `CHANNEL_ID` into their words, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function checkPath(path: string): string[] {
  const problems: string[] = [];
  const [stem = '', ...suffixes] = basename(path)
    .replace(/\.(spec|test|d)?\.?(ts|json|cjs|mjs)$/, '')
    .split('.');
  for (const part of [...dirname(path).split('/'), stem]) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)) problems.push(`"${part}" is not in kebab-case`);
    if (junkDrawers.has(part)) problems.push(`"${part}" says nothing about what is in it`);
  }
  if (path.startsWith('src/') && suffixes.length > 0) {
    const roles =
      { features: featureRoles, platform: platformRoles }[path.split('/')[1] ?? ''] ?? programRoles;
    const isTranslation = stem === 'words' && /^[a-z]{2}$/.test(suffixes.join('.'));
    if (!isTranslation && !roles.includes(suffixes.join('.')))
      problems.push(`unknown suffix ".${suffixes.join('.')}"`);
  }
  return problems;
}

/** The names that a file declares, rather than those that it only uses. */
function declaredNames(source: ts.SourceFile): ts.Identifier[] {
  const names: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    const isUse =
      ts.isPropertyAccessExpression(node) || (ts.isImportSpecifier(node) && node.propertyName === undefined);
    if (name && ts.isIdentifier(name) && !isUse) names.push(name);
    node.forEachChild(visit);
  };
  visit(source);
  return names;
}

function checkVocabulary(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const at = (identifier: ts.Identifier) =>
    `line ${source.getLineAndCharacterOfPosition(identifier.getStart(source)).line + 1}: "${identifier.text}"`;
  return declaredNames(source).flatMap((identifier) => {
    const odd = wordsOf(identifier.text).find((part) => part in oddWords);
    if (odd !== undefined) return [`${at(identifier)}: say "${oddWords[odd]}" instead of "${odd}"`];
    const word = wordsOf(identifier.text).find((part) => part in wireWords);
    if (word === undefined || allowedNames.has(identifier.text)) return [];
    if (word.startsWith('stream') && nodeStreams.test(text)) return [];
    return [`${at(identifier)}: say "${wireWords[word]}" instead of "${word}"`];
  });
}

function checkContent(path: string, text: string): string[] {
  const problems = text.split('\n').flatMap((line, index) => {
    const stray = strayText.exec(line);
    const isChecked = path !== 'scripts/check-names.ts';
    const foreign = isChecked && ownText.test(path) ? foreignText.exec(line) : null;
    const awkward = isChecked && plainComments.test(path) ? awkwardComment.exec(line) : null;
    return [
      ...(stray ? [`line ${index + 1}: "${stray[0]}" does not belong here`] : []),
      ...(foreign ? [`line ${index + 1}: use the usual English word instead of "${foreign[0]}"`] : []),
      ...(awkward
        ? [`line ${index + 1}: rewrite this comment in plain English: "${awkward[0].trim()}"`]
        : []),
    ];
  });
  if (path.startsWith('src/') && path.endsWith('.ts')) {
    const isPlain = !basename(path, '.ts').includes('.');
    if (isPlain && path.startsWith('src/features/') && wiring.test(text)) {
      problems.push('a class with a role needs the suffix of that role in its file name');
    }
    if (!wireFiles.test(path)) problems.push(...checkVocabulary(path, text));
  }
  return problems;
}

const files = ['src', 'test', 'scripts', 'bench', 'docs', 'console'].flatMap((folder) => {
  try {
    return filesBelow(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
});
files.push(...readdirSync(root).filter((name) => name.endsWith('.md')));
const sizes: [path: string, lines: number][] = [];
let failed = false;
for (const path of files) {
  const isText = /\.(tsx?|cjs|mjs|md|tsv)$/.test(path);
  const text = isText ? readFileSync(join(root, path), 'utf8') : '';
  const problems = [...(/^(src|scripts)\//.test(path) ? checkPath(path) : []), ...checkContent(path, text)];
  for (const problem of problems) console.log(`${path}: ${problem}`);
  failed ||= problems.length > 0;
  if (path.endsWith('.ts')) sizes.push([path, text.split('\n').length - 1]);
}
const long = sizes.filter(([, lines]) => lines > longFile).sort((a, b) => b[1] - a[1]);
if (long.length > 0) {
  console.log(`Over ${longFile} lines: ${long.map(([path, lines]) => `${path} (${lines})`).join(', ')}`);
}
if (failed) process.exitCode = 1;
