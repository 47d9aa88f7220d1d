import { join } from 'node:path';
import { buildApiDescription } from './build-api-description';
import { buildApiPage, buildConsole } from './build-console';
import { writeBuild } from './write-build';

/**
 * Generates everything in `npm run build` besides the compiled program: build information, the console, the API
 * description and the script of its page.
 */
async function main(): Promise<void> {
  writeBuild(join(__dirname, '../dist'));
  await Promise.all([buildConsole(), buildApiPage()]);
  await buildApiDescription('all');
}

void main();
