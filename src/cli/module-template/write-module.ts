import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { sourceFiles } from './source-files';
import { CommandRefused } from '../../platform/operator/operator-commands';
import { PROGRAM_VERSION } from '../../platform/version';

/** Values used in the files around the code of a new module. */
export interface PackageNames {
  readonly name: string;
  /** Version of Parley. */
  readonly version: string;
  /** The folder in which Parley is installed. */
  readonly parley: string;
}

/** The files around the code of a new module. */
function packageFiles({ name, version, parley }: PackageNames): Record<string, string> {
  const [major, minor] = version.split('.').map(Number);
  const upTo = major === 0 ? `0.${(minor ?? 0) + 1}.0` : `${(major ?? 0) + 1}.0.0`;
  const description = {
    name: `parley-${name}`,
    version: '0.1.0',
    private: true,
    description: `A module of Parley: ${name}.`,
    type: 'commonjs',
    main: 'dist/src/index.js',
    scripts: {
      build: 'tsc',
      test: 'tsc && node --test --test-concurrency=1 dist/test/*.test.js',
    },
    peerDependencies: { parley: `>=${version} <${upTo}` },
    devDependencies: { '@types/node': '^20.19.0', parley: `file:${parley}`, typescript: '^6.0.3' },
  };
  const compilerOptions = {
    target: 'ES2023',
    module: 'node16',
    outDir: 'dist',
    rootDir: '.',
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
    types: ['node'],
  };
  return {
    'package.json': `${JSON.stringify(description, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify({ compilerOptions, include: ['src', 'test'] }, null, 2)}\n`,
    '.gitignore': 'node_modules/\ndist/\n',
    'README.md': `
# ${name}

A module of [Parley](${parley}/docs/modules.md).

\`\`\`sh
npm install
npm test
PARLEY_MODULES=${'$'}PWD npx parley serve
\`\`\`
`,
  };
}

/** The folder of this program's package. */
const PACKAGE = resolve(__dirname, '../../..');

/** The generated module. */
interface WrittenModule {
  readonly folder: string;
  /** Relative to the working directory. */
  readonly files: readonly string[];
}

/**
 * Generates a module with named things: everyone lists and adds them, administrators remove them.
 * @param one singular name of a thing
 * @throws CommandRefused if the folder already exists
 */
export function writeModule(name: string, one: string, place: string): WrittenModule {
  if (!/^[a-z][a-z0-9]*$/.test(one) || one === name) {
    throw new CommandRefused(
      `Cannot derive the singular of ${name}. Add it: parley module new ${name} <singular>.`,
    );
  }
  const folder = join(place, name);
  if (existsSync(folder)) throw new CommandRefused(`The folder ${folder} already exists.`);
  const files = {
    ...packageFiles({ name, version: PROGRAM_VERSION, parley: PACKAGE }),
    ...sourceFiles(name, one),
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.trimStart());
  }
  const shown = Object.keys(files).map((path) => relative(process.cwd(), join(folder, path)));
  return { folder: relative(process.cwd(), folder) || '.', files: shown };
}
