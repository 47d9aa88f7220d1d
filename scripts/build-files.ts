import { buildApiDescription } from './build-api-description';
import { buildConsole } from './build-console';

/** What `npm run build` makes beside the compiled program: the console and the API description. */
async function main(): Promise<void> {
  await buildConsole();
  await buildApiDescription('all');
}

void main();
