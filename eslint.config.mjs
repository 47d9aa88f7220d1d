import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import jest from 'eslint-plugin-jest';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import parley from './scripts/lint-rules.mjs';

const code = ['**/*.{ts,tsx}'];
const tests = ['test/**/*.ts', 'src/**/*.spec.ts'];

const httpExceptions = {
  group: ['@nestjs/common'],
  importNamePattern: 'Exception$',
  message: 'Throw a subclass of ApiError.',
};
const asyncContext = {
  group: ['node:async_hooks'],
  importNamePattern: '^AsyncLocalStorage$',
  message: 'Pass the actor and the transaction as arguments.',
};
const connections = {
  group: ['typeorm', '@nestjs/typeorm'],
  importNamePattern:
    '^(DataSource|EntityManager|QueryRunner|Repository|InjectDataSource|InjectEntityManager)$',
  message: 'Read through a ReadRepository or Database, write through TransactionService.',
};
const tables = {
  group: ['typeorm', '*.entity'],
  message: 'Controllers and DTOs do not know the tables.',
};

const ownConnection = [
  {
    selector: 'MemberExpression[property.name="createQueryRunner"]',
    message: 'Only platform/database opens connections.',
  },
  {
    selector: 'CallExpression[callee.property.name="transaction"]',
    message: 'Only platform/database opens transactions: use TransactionService.',
  },
];
const parallelStatements = {
  selector:
    'CallExpression[callee.property.name=/^run(Exclusive)?$/][callee.object.property.name="transactions"] ' +
    'CallExpression[callee.object.name="Promise"][callee.property.name=/^(allSettled|any|race)$/]',
  message:
    'Inside a transaction, await each statement, or Promise.all of those that need no answer of one another.',
};
const envelope = {
  selector: 'ObjectExpression > Property[key.name="msg"]',
  message: 'The envelope belongs to the interceptor and the error filter.',
};

const markupFromText = [
  {
    selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
    message: 'Only parts/rendered.tsx makes HTML of text.',
  },
  {
    selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
    message: 'Only parts/rendered.tsx makes HTML of text.',
  },
];

const loadedLate = ['jdenticon', 'katex', 'nodemailer', 'sharp'].map((name) => ({
  name,
  allowTypeImports: true,
  message:
    'It takes several MiB: require it where it is first needed, so that the start does not wait for it.',
}));

export default defineConfig(
  { ignores: ['**/dist/', 'data/', 'coverage/', '**/node_modules/', 'examples/modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  comments.recommended,
  {
    rules: {
      '@eslint-community/eslint-comments/require-description': 'error',
      '@eslint-community/eslint-comments/disable-enable-pair': ['error', { allowWholeFile: true }],
    },
  },
  {
    files: code,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Handlers and implementations of asynchronous interfaces need not await anything themselves.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': ['error', parallelStatements],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-imports': ['error', { patterns: [asyncContext] }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only platform/config reads the environment.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/database/**'],
    rules: { 'no-restricted-syntax': ['error', parallelStatements, ...ownConnection] },
  },
  {
    files: ['src/features/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [asyncContext, httpExceptions, connections] }],
      'no-restricted-syntax': ['error', parallelStatements, ...ownConnection, envelope],
    },
  },
  {
    // A migration gets its connection; it opens none.
    files: ['src/features/**/*.migration.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [asyncContext, httpExceptions] }] },
  },
  {
    files: ['src/features/**/*.controller.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [asyncContext, httpExceptions, tables] }] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/*.spec.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { paths: loadedLate }] },
  },
  {
    files: ['console/**/*.{ts,tsx}'],
    rules: {
      'no-console': 'error',
      // What the server sends is as its tests hold it to; records say which parts of it are read.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['console/**/*.{ts,tsx}'],
    ignores: ['console/parts/rendered.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...markupFromText] },
  },
  { files: ['src/platform/config/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['src/**/*.ts'],
    // The test server, too, sends what older releases sent beside.
    ignores: ['src/**/*.service.ts', 'src/**/*.spec.ts', 'src/testing/server/former-bot-events.ts'],
    plugins: { parley },
    rules: { 'parley/emit-in-services-only': 'error' },
  },
  {
    files: tests,
    extends: [jest.configs['flat/recommended']],
    rules: {
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', '**.expect*'] }],
      'jest/no-disabled-tests': 'error',
      // A test of both engines or of every case of a table branches on the case, not on the answer.
      'jest/no-conditional-expect': 'off',
      // Helpers of a suite assert as well.
      'jest/no-standalone-expect': 'off',
      'jest/valid-title': 'error',
      // Answers of the server are JSON, whose shape the assertions state.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['test/browser/**/*.ts'],
    rules: {
      // What is on a page is waited for, and a test fails where it does not come.
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expect*', '**.expect*', '**.waitFor'] },
      ],
    },
  },
  {
    files: ['test/support/browser.ts'],
    // It says which tests are skipped, and has none itself.
    rules: { 'jest/no-export': 'off' },
  },
);
