/** What the files around the code of a new module depend on. */
export interface PackageNames {
  readonly name: string;
  /** Of Parley. */
  readonly version: string;
  /** The folder in which Parley is installed. */
  readonly parley: string;
}

/** The files around the code of a new module. */
export function packageFiles({ name, version, parley }: PackageNames): Record<string, string> {
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
