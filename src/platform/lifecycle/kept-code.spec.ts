import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';

const FILE = 'platform/lifecycle/kept-code.js';

/** Prints the exports of a file, and which files had to be read. */
const MAIN = `
  const code = require('./${FILE}').useKeptCode(process.argv[2]);
  const { prototype } = require('node:module');
  const compile = prototype._compile;
  const compiled = [];
  prototype._compile = function (source, file, ...rest) {
    compiled.push(require('node:path').basename(file));
    return compile.call(this, source, file, ...rest);
  };
  const found = require('./a');
  if (process.argv[3] !== 'never') code.keep();
  console.log(JSON.stringify({ found, compiled }));
`;

interface Start {
  readonly found: { readonly text: string; readonly stack: string; readonly paths: readonly string[] };
  readonly compiled: readonly string[];
}

describe('code cached between starts', () => {
  let top: string;
  let kept: string;

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-kept-')));
    kept = join(top, 'kept');
    const program = readFileSync(join(__dirname, 'kept-code.ts'), 'utf8');
    const { code } = transformSync(program, {
      filename: 'kept-code.ts',
      swcrc: false,
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    write(`dist/${FILE}`, code);
    write('dist/main.js', MAIN);
    write('dist/tsconfig.build.tsbuildinfo', '{}');
    write('node_modules/.package-lock.json', '{}');
    write(
      'dist/a.js',
      "module.exports = { ...require('./b'), paths: require.resolve.paths('x').slice(0, 1) };",
    );
    write('dist/b.js', "exports.text = 'first – 1';\nexports.stack = new Error().stack;");
  });

  afterEach(() => rmSync(top, { recursive: true }));

  function write(name: string, text: string): void {
    const path = join(top, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  function start(...args: readonly string[]): Start {
    const line = execFileSync(process.execPath, [join(top, 'dist/main.js'), kept, ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return JSON.parse(line) as Start;
  }

  it('is compiled only by the first start, and behaves the same', () => {
    const first = start();
    const second = start();
    expect(first.compiled).toEqual(['a.js', 'b.js']);
    expect(second.compiled).toEqual([]);
    expect(first.found.text).toBe('first – 1');
    expect(second.found.text).toBe('first – 1');
  });

  it('keeps file names and lines in stack traces', () => {
    for (let time = 0; time < 2; time++) {
      const { found } = start();
      expect(found.stack).toContain(`${join(top, 'dist/b.js')}:2:17`);
      expect(found.paths).toEqual([join(top, 'dist/node_modules')]);
    }
  });

  it('is compiled again if a file changed', () => {
    start();
    write('dist/b.js', "exports.text = 'second, and longer';");
    expect(start()).toMatchObject({ found: { text: 'second, and longer' }, compiled: ['b.js'] });
    expect(start()).toMatchObject({ found: { text: 'second, and longer' }, compiled: [] });
  });

  it('is discarded if packages change', () => {
    start();
    write('node_modules/.package-lock.json', '{ "name": "other" }');
    expect(start().compiled).toEqual(['a.js', 'b.js']);
  });

  it('is cached completely or not at all', () => {
    start('never');
    expect(start().compiled).toEqual(['a.js', 'b.js']);
    const [name = ''] = readdirSync(kept);
    expect(readdirSync(kept)).toHaveLength(1);
    writeFileSync(join(kept, name), readFileSync(join(kept, name)).subarray(100));
    expect(start()).toMatchObject({ found: { text: 'first – 1' }, compiled: ['a.js', 'b.js'] });
  });

  it('ignores files elsewhere, and those that cannot be compiled', () => {
    write('elsewhere/c.js', "exports.text = 'elsewhere';");
    write('dist/b.js', "exports.text = require('../elsewhere/c').text;");
    start();
    expect(start().compiled).toEqual(['c.js']);
    write('dist/b.js', 'exports.text = ;');
    expect(() => start()).toThrow(/dist\/b\.js:1\nexports\.text = ;/);
  });
});
