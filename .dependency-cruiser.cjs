const { createHash } = require('node:crypto');
const { features, platform } = require('./scripts/import-table.json');

/** The cache notices other options, but not other rules. */
const rules = createHash('sha256').update(JSON.stringify({ features, platform })).digest('hex').slice(0, 12);

/** A regular expression for one of several words. */
const anyOf = (words) => `(${words.join('|')})`;

const featureRules = Object.entries(features).map(([feature, allowed]) => ({
  name: `imports-of-${feature}`,
  comment:
    'Features import along scripts/import-table.json, and of others only what their module file offers.',
  severity: 'error',
  from: { path: `^src/features/${feature}/` },
  to: {
    path: '^src/features/',
    pathNot: [
      `^src/features/${feature}/(?!${feature}\\.module\\.ts)`,
      ...(allowed.length > 0 ? [`^src/features/${anyOf(allowed)}/[^/]+\\.module\\.ts$`] : []),
    ],
  },
}));

const platformRules = Object.entries(platform).map(([part, allowed]) => ({
  name: `imports-of-platform-${part.replace('/', '-')}`,
  comment: 'The parts of the platform stand on each other along scripts/import-table.json.',
  severity: 'error',
  from: { path: `^src/platform/${part}(/|\\.)` },
  to: { path: '^src/platform/', pathNot: `^src/platform/${anyOf([part, ...allowed])}(/|\\.)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...featureRules,
    ...platformRules,
    {
      name: 'every-folder-is-listed',
      comment: 'A new feature or platform part needs its row in scripts/import-table.json.',
      severity: 'error',
      from: {
        path: '^src/(features|platform)/',
        pathNot: [
          `^src/features/${anyOf(Object.keys(features))}/`,
          `^src/platform/${anyOf(Object.keys(platform))}(/|\\.)`,
        ],
      },
      to: {},
    },
    {
      name: 'doors-of-features',
      comment: 'From outside, too, a feature is what its module file offers.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/features/', '\\.spec\\.ts$'] },
      to: { path: '^src/features/', pathNot: '^src/features/[^/]+/[^/]+\\.module\\.ts$' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/', pathNot: '^src/platform/' },
    },
    {
      name: 'test-servers-are-asked-for',
      comment: 'What only tests may do is part of no other program: one command alone leads there.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/testing/', '^src/cli/test-command\\.ts$'] },
      to: { path: '^src/testing/' },
    },
    {
      name: 'conformance-knows-http-alone',
      comment: 'It examines any server, so it shares nothing with this one; one command alone leads there.',
      severity: 'error',
      from: { path: '^src/conformance/' },
      to: { path: '^src/', pathNot: '^src/conformance/' },
    },
    {
      name: 'conformance-is-asked-for',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/conformance/', '^src/cli/conformance-command\\.ts$'] },
      to: { path: '^src/conformance/' },
    },
    {
      name: 'features-know-no-entry-point',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/', pathNot: '^src/(features|platform)/' },
    },
    {
      name: 'controllers-stay-thin',
      comment: 'Controllers reach tables through services only.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: ['\\.entity\\.ts$', '^node_modules/(@nestjs/)?typeorm/'] },
    },
    {
      name: 'api-files-reach-no-tables',
      comment: 'They make records of rows, whose types they may name.',
      severity: 'error',
      from: { path: '\\.api\\.ts$' },
      to: {
        path: ['\\.entity\\.ts$', '^node_modules/(@nestjs/)?typeorm/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A migration describes the tables of its day, not those of the entities of today.',
      severity: 'error',
      from: { path: '^src/(platform/database/migrations|features)/.+\\.migration\\.ts$' },
      to: { path: '^src/', pathNot: '^src/platform/database/migrations/' },
    },
    {
      name: 'console-stands-alone',
      comment: 'It runs in browsers, and knows of the server what the interface tells.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src|test|scripts|bench)/' },
    },
    {
      name: 'program-knows-no-console',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^console/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycles-of-folders',
      comment: 'Inside a feature, as between features, imports run one way.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'program-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: ['^test/', '\\.spec\\.ts$'] },
    },
    {
      name: 'program-does-not-need-development-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'imports-resolve', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['require', 'node', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.cjs'],
    },
    cache: { folder: `node_modules/.cache/dependency-cruiser/${rules}`, strategy: 'content' },
  },
};
