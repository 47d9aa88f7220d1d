import { buildApiDescription } from './build-api-description';
import { buildApiPage, buildConsole } from './build-console';

/** What `npm run build` makes beside the compiled program: the console, the API description and the script of its page. */
async function main(): Promise<void> {
  await Promise.all([buildConsole(), buildApiPage()]);
  await buildApiDescription('all');
}

void main();
