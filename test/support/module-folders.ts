import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as ts from 'typescript';

/** Compiler options for modules: as in `parley module new`, but without type checking. */
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2023,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
  esModuleInterop: true,
};

/** Folders of modules outside this repository, which are removed at the end. */
export class ModuleFolders {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-modules-'));

  /** Compiles the files of a module, such as those of `parley module new`. @returns its folder */
  compile(folder: string): string {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of sources.filter((each) => each.endsWith('.ts') && !each.startsWith('dist'))) {
      const { outputText } = ts.transpileModule(readFileSync(join(folder, name), 'utf8'), {
        compilerOptions: OPTIONS,
        fileName: name,
      });
      this.put(folder, `dist/${name.replace(/\.ts$/, '.js')}`, outputText);
    }
    return folder;
  }

  /** Creates a single-file module. @param code CommonJS @returns its folder */
  write(name: string, code: string, description: object = {}): string {
    const folder = join(this.folder, name);
    this.put(
      folder,
      'package.json',
      JSON.stringify({ name, main: 'index.js', version: '1.2.3', ...description }),
    );
    this.put(folder, 'index.js', code);
    return folder;
  }

  /** Adds a file to compile. */
  source(folder: string, name: string, code: string): void {
    this.put(folder, name, code);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private put(folder: string, path: string, text: string): void {
    const file = join(folder, relative('.', path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
